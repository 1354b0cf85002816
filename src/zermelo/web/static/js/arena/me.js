// A student's page: files are dropped or chosen, and the list of versions follows what happens to them.

import {notify, Refused, send} from "../api.js";
import {language, t} from "../language.js";
import {listen} from "../live.js";

const part = (id) => document.getElementById(id);
const SILENCE = 70; // seconds; the server says something every 20
const PAUSE = 1500; // milliseconds between two looks at one's own page

// -------------------------------------------------------------------------------- handing in

const base64 = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
  reader.addEventListener("error", () => reject(new Refused(0, t("The file cannot be read."))));
  reader.readAsDataURL(file);
});

/** The texts of several files, by their names. */
async function texts(files) {
  const found = {};
  for (const file of files) {
    try {
      found[file.name] = new TextDecoder("utf-8", {fatal: true}).decode(await file.arrayBuffer());
    } catch {
      throw new Refused(0, t("{name} is not a text in UTF-8.", {name: file.name}));
    }
  }
  return found;
}

function complain(text) {
  part("problem").textContent = text;
  part("problem").hidden = !text;
}

async function handIn(files) {
  if (!files.length) return;
  complain("");
  part("said").textContent = t("Sending…");
  if (part("send")) part("send").disabled = true;
  try {
    const content = files.length === 1 ? {base64: await base64(files[0])} : {files: await texts(files)};
    const taken = await send("POST", "/api/submissions", {filename: files[0].name, ...content});
    part("said").textContent = said(taken);
    part("hand-in")?.reset();
  } catch (error) {
    part("said").textContent = "";
    complain(error instanceof Refused ? error.message : t("The server cannot be reached. Try again later."));
  } finally {
    if (part("send")) part("send").disabled = false;
    look();
  }
}

function said({version, place, wait, repeated}) {
  if (repeated) return t("Version {version} is the same code, so nothing has changed.", {version});
  if (place === null) return t("Version {version} was received.", {version});
  return t("Version {version} was received. It is number {place} in the queue, and the check ends in about {seconds} s.", {version, place, seconds: Math.round(wait).toLocaleString(language)});
}

const form = part("hand-in");
if (form) {
  part("drop-words").hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    handIn([...part("file").files]);
  });
  const carries = (event) => event.dataTransfer?.types.includes("Files");
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      form.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) form.classList.remove("over"); });
  document.addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    form.classList.remove("over");
    handIn([...event.dataTransfer.files]);
  });
}

// -------------------------------------------------------------------------------- what has become of it

let looking = false, again = false;

/** Fetch this page anew, and exchange what has changed. */
async function look() {
  again = looking;
  if (looking) return;
  looking = true;
  try {
    const answer = await fetch("/me");
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of ["mine", "limits"]) {
        const now = fresh.getElementById(id);
        if (now && now.innerHTML !== part(id).innerHTML) part(id).replaceWith(document.adoptNode(now));
      }
      if (!part("mine").dataset.waiting) part("said").textContent = ""; // the list says it now
    }
  } catch {
    // the connection is lost, and the news will come back with it
  }
  setTimeout(() => {
    looking = false;
    if (again) look();
  }, PAUSE);
}

let before = "";
listen("/api/live", {
  queue: ({waiting}) => {
    const mine = part("mine").dataset.waiting.split(" ").filter(Boolean);
    const now = JSON.stringify(waiting);
    if (before !== "" && now !== before && mine.length) look();
    before = now;
  },
  standings: () => { if (before !== "") look(); },
  lost: () => notify(t("The connection was lost. Trying again…"), 0),
  back: () => {
    notify(t("Connected again."));
    look();
  },
  gone: (reason) => notify(reason, 0),
}, SILENCE);
