// The page of a game on two devices. The server knows the game; this page shows it and sends what its player does.

import {address, get, notify} from "../api.js";
import {Board} from "../board.js";
import {copy} from "../copying.js";
import {chooseMove} from "../dialogs.js";
import {t} from "../language.js";
import {listen} from "../live.js";
import {showMoves} from "../moves.js";
import {ServerClocks} from "./clocks.js";
import {fromAddress, keepSeat, seatIn} from "./seats.js";

const SILENCE = 25; // seconds without a word from the server after which the connection counts as lost
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const brought = fromAddress();
let key = brought.seat ?? (brought.invite ? null : seatIn(data.code));
if (brought.seat) keepSeat(data.code, key);
let invite = brought.invite ?? null;
let view = null;
let room = null;
let looking = null; // an earlier position that the reader looks at: the number of its moves
let pending = null; // a move that the server has not confirmed: {move, ply}
let transmit = () => {};
const clocks = new ServerClocks();

const beginLink = new URL("/together", data.base).href;
const watchLink = `${beginLink}/${data.code}`;
const inviteLink = () => `${watchLink}#join-${room.invite}`;
const isOver = () => view.ending !== null;
const isFull = () => room.taken[0] && room.taken[1];
const isMine = () => room.you && view.to_move === room.you && !isOver() && isFull() && looking === null;
const order = (message) => transmit(message);

const board = new Board(byId("board"), {
  move: (move) => play(move),
  refused: (place) => explain(place),
  several: (moves) => chooseMove(moves, play),
  disabled: () => room && notify(whyNot(), 3),
});

function whyNot() {
  if (!room.you) return t("You are watching.");
  if (isOver()) return t("The game is over.");
  if (!isFull()) return t("The other player is not here yet.");
  return looking === null ? t("It is not your turn.") : t("This is an earlier position.");
}

// ------------------------------------------------------------------ talking with the server

listen(`/ws/together/${data.code}`, {
  open: (sending) => {
    transmit = sending;
    sending({seat: key, invite});
  },
  lost: () => {
    byId("lost").hidden = false;
    board.enable(false);
    clocks.stop();
  },
  gone: (reason) => notify(reason || t("This game is no longer kept."), 0),
  seat: (fresh) => {
    [key, invite] = [fresh, null];
    keepSeat(data.code, fresh);
  },
  note: () => {
    invite = null;
    notify(t("The seat is taken already, so you are watching."), 8);
  },
  refused: (text) => {
    pending = null;
    board.takeBack();
    notify(text[0].toUpperCase() + text.slice(1), 5);
    showAround();
  },
  view: (fresh) => {
    view = fresh;
    looking = null;
    board.show(fresh);
  },
  room: (fresh) => {
    byId("lost").hidden = true;
    tellNews(room, fresh);
    room = fresh;
    if (pending && pending.ply < view.moves.length) pending = null;
    else if (pending) order({do: "move", ...pending}); // it may have been lost with the connection
    showAround();
  },
}, SILENCE);

/** Tell a player what became of an offer. */
function tellNews(before, now) {
  if (!before || !now.you || now.offer || before.offer?.by !== before.you || before.withdrawn) return;
  const same = before.moves === view.moves.length && before.over === isOver();
  if (same) notify(t("The other player declined."), 4);
}

function play(move) {
  pending = {move, ply: view.moves.length};
  board.anticipate(move);
  board.enable(false);
  order({do: "move", ...pending});
}

async function explain(place) {
  const {reason} = await get("/api/why-not", {line: view.line, from: view.start, move: place});
  if (reason) notify(reason[0].toUpperCase() + reason.slice(1), 4);
}

// ------------------------------------------------------------------ showing

function showAround() {
  [room.moves, room.over] = [view.moves.length, isOver()];
  board.enable(Boolean(isMine()) && !pending);
  byId("status").textContent = statusText();
  showMoves(byId("moves"), {...view, at: looking ?? view.moves.length}, lookAt);
  byId("table").classList.toggle("turned", room.you === 2);
  for (const player of [1, 2]) showSeat(player);
  clocks.show(room.clock);
  showTools();
  showOffer();
  showInvitation();
  byId("watching").textContent = room.watching ? t("watching: {number}", {number: room.watching}) : "";
  const analysis = byId("analyse");
  analysis.hidden = !isOver();
  analysis.href = address(`/analyse/${view.path}`, {from: view.start});
}

function statusText() {
  if (isOver() || !room.you || !isFull()) return view.spoken;
  const said = view.to_move === room.you ? t("It is your turn.") : t("Wait for the other player.");
  return view.moves.length ? `${view.spoken} ${said}` : said;
}

function showSeat(player) {
  const seat = byId(`seat-${player}`);
  const [taken, here] = [room.taken[player - 1], room.here[player - 1]];
  let what = t("away");
  if (!taken) what = t("nobody yet");
  else if (player === room.you) what = t("you");
  else if (here) what = room.you ? t("the other player") : "";
  seat.querySelector(".what").textContent = what;
  seat.classList.toggle("away", !here);
  seat.classList.toggle("turn", !isOver() && view.to_move === player);
  seat.classList.toggle("won", isOver() && view.ending.winner === player);
}

function showTools() {
  const own = view.movers.some((mover, ply) => mover === room.you && ply >= room.begun);
  const asked = room.offer?.by === room.you;
  byId("tools").hidden = !room.you;
  byId("takeback").hidden = isOver();
  byId("takeback").disabled = !own || asked;
  byId("draw").hidden = isOver() || !data.can_be_drawn;
  byId("draw").disabled = !isFull() || asked;
  byId("resign").hidden = isOver();
  byId("resign").disabled = !isFull();
  byId("again").hidden = !isOver();
  byId("again").disabled = asked;
  const other = 2 - room.you;
  byId("reinvite").hidden = !room.you || !room.taken[other] || room.here[other] || room.invite !== "";
}

function showOffer() {
  const {offer} = room;
  byId("offer").hidden = !offer;
  if (!offer) return;
  const mine = offer.by === room.you;
  const texts = {
    takeback: [t("You have asked to take your last move back."), t("The other player wants to take the last move back."), t("{player} asks to take the last move back.")],
    draw: [t("You have offered a draw."), t("The other player offers a draw."), t("{player} offers a draw.")],
    again: [t("You want to play again, with the sides changed."), t("The other player wants to play again, with the sides changed."), t("{player} wants to play again.")],
  }[offer.what];
  const name = t(view.players[offer.by - 1]);
  byId("offer-text").textContent = texts[mine ? 0 : room.you ? 1 : 2].replace("{player}", name[0].toUpperCase() + name.slice(1));
  byId("offer-yes").hidden = mine || !room.you;
  byId("offer-no").hidden = !room.you;
  byId("offer-no").textContent = mine ? t("Withdraw") : t("Decline");
}

function showInvitation() {
  const open = Boolean(room.you && room.invite);
  byId("invitation").hidden = !open;
  if (!open || byId("invitation-text").dataset.invite === room.invite) return;
  byId("invitation-text").dataset.invite = room.invite;
  byId("invitation-code").src = address("/api/qr.svg", {address: inviteLink()});
  byId("invitation-where").textContent = beginLink.replace(/^https?:\/\//, "");
  byId("invitation-text").textContent = `${room.invite.slice(0, 4)} ${room.invite.slice(4)}`;
}

/** Show the position after some of the moves; the game goes on meanwhile. */
async function lookAt(at) {
  const last = at >= view.moves.length;
  const shown = await get("/api/position", {line: view.line, from: view.start, at, end: last ? endOf() : null});
  looking = last ? null : at;
  board.show(shown);
  showAround();
}

/** How the game ended off the board, in the form that the server takes. */
function endOf() {
  const {winner, reason} = view.ending ?? {};
  if (!reason || reason === "played out") return null;
  return winner ? `${3 - winner}-${reason}` : `0-${reason}`;
}

// ------------------------------------------------------------------ controls

for (const what of ["takeback", "draw", "again"]) byId(what).addEventListener("click", () => order({do: "offer", what}));
byId("offer-yes").addEventListener("click", () => order({do: "answer", yes: true}));
byId("offer-no").addEventListener("click", () => {
  room.withdrawn = true;
  order({do: "answer", yes: false});
});
byId("resign").addEventListener("click", () => byId("resign-dialog").showModal());
byId("resign-yes").addEventListener("click", () => {
  byId("resign-dialog").close();
  order({do: "resign"});
});
byId("reinvite").addEventListener("click", () => order({do: "invite"}));
byId("invitation-copy").addEventListener("click", () => copied(inviteLink()));
byId("watch").addEventListener("click", () => {
  byId("watch-code").src = address("/api/qr.svg", {address: watchLink});
  byId("watch-text").textContent = watchLink.replace(/^https?:\/\//, "");
  for (const id of ["move-seat", "move-seat-about"]) byId(id).hidden = !room?.you;
  byId("watch-dialog").showModal();
});
byId("watch-copy").addEventListener("click", () => copied(watchLink));
byId("move-seat").addEventListener("click", () => copied(`${watchLink}#seat-${key}`));
for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector("[data-close]")?.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

async function copied(text) {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  if (await copy(text)) notify(t("The link was copied."), 2);
  else notify(text, 20);
}

document.addEventListener("keydown", (event) => {
  if (!view || event.target.closest("input, select, textarea, dialog, [data-move]") || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = looking ?? view.moves.length;
  if (event.key === "ArrowLeft" && at > 0) lookAt(at - 1);
  else if (event.key === "ArrowRight" && at < view.moves.length) lookAt(at + 1);
});

if (data.projector) {
  byId("projector-links").hidden = false;
  byId("projector-code").src = address("/api/qr.svg", {address: watchLink});
  byId("projector-where").textContent = watchLink.replace(/^https?:\/\//, "");
}
