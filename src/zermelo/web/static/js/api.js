// Requests to the server, as JSON with the page's token, and streams of events.

import {t} from "./language.js";
import {notify} from "./notices.js";

export {notify};

let token = document.querySelector('meta[name="zermelo-token"]')?.content ?? "";

/** A refusal by the server, in its own words. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function refusal(response) {
  let message = t("The server answered with status {status}.", {status: response.status});
  try {
    message = (await response.json()).error ?? message;
  } catch {
    // the answer is not JSON, so only the status is known
  }
  return new Refused(response.status, message);
}

/** Get the new token after the server was restarted. */
async function renewToken() {
  const response = await fetch("/api/session");
  if (response.ok) token = (await response.json()).token;
}

/** The JSON answer to a GET request. `query` is an object of parameters: lists are repeated, null and undefined left out. */
export async function get(path, query = {}, options = {}) {
  const response = await fetch(address(path, query), options);
  if (!response.ok) throw await refusal(response);
  return response.json();
}

/** Send a request that changes something. `body` is an object (sent as JSON) or a string. Returns the JSON answer, or null. */
export async function send(method, path, body = null) {
  const headers = body === null ? {} : {"Content-Type": typeof body === "string" ? "text/plain" : "application/json"};
  const response = await allowed(path, {
    method, headers, body: body === null || typeof body === "string" ? body : JSON.stringify(body),
  });
  return response.status === 204 ? null : response.json();
}

/** The answer to a request that carries the page's token, which is renewed if need be. */
async function allowed(path, options) {
  const request = () => fetch(path, {...options, headers: {...options.headers, "X-Zermelo-Token": token}});
  let response = await request();
  if (response.status === 403) {
    await renewToken();
    response = await request();
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

export function address(path, query = {}) {
  const given = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const text = new URLSearchParams(given.filter(([, value]) => value !== null && value !== undefined && value !== "")).toString();
  return text ? `${path}?${text}` : path;
}

const PAUSES = [300, 1000, 2000, 4000];

/**
 * Read a stream of events and call on[name](data) for each, until `done`. A lost connection is made again (on.lost,
 * on.back). A refusal or failure of the server is thrown as Refused. Returns quietly when `signal` is aborted.
 */
export async function stream(path, query, on, signal) {
  for (let failures = 0; ; failures++) {
    try {
      const response = await fetch(address(path, query), {signal});
      if (response.status === 503) throw new TypeError("busy");
      if (!response.ok) throw await refusal(response);
      if (failures) on.back?.();
      if (await readEvents(response, on)) return;
      throw new TypeError("the stream broke off");
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Refused) throw error;
      on.lost?.();
      await new Promise((resolve) => setTimeout(resolve, PAUSES[Math.min(failures, PAUSES.length - 1)]));
      if (signal?.aborted) return;
    }
  }
}

/**
 * Ask for some work, and call on[name](data) for each event of the answer, until `done`. The work ends when `signal` is
 * aborted; false is returned then. A refusal, a failure or a broken connection is thrown.
 */
export async function work(path, on, signal) {
  try {
    if (await readEvents(await allowed(path, {method: "POST", signal}), on)) return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
  throw new Error(t("The connection was lost."));
}

/** True if the stream ended with `done`, false if it broke off. */
async function readEvents(response, on) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const {value, done} = await reader.read();
    if (done) return false;
    rest += value;
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const name = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (!name) continue;
      if (name === "failed") throw new Refused(500, JSON.parse(data).error);
      on[name]?.(JSON.parse(data));
      if (name === "done") return true;
    }
  }
}
