// Games of a report, one move at a time. It needs no server: their pictures are in the page.

"use strict";
const {games, words, met} = JSON.parse(document.getElementById("data").textContent);
const fill = (text, parts) => text.replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);
const board = document.getElementById("board"), said = document.getElementById("said");
const moves = document.getElementById("moves"), which = document.getElementById("which");
let game = null, pictures = [], ply = 0;
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
function show(next) {
  if (!game) return;
  ply = Math.max(0, Math.min(next, pictures.length - 1));
  board.innerHTML = pictures[ply];
  const made = game.moves[ply - 1];
  let told = game.players[0] + " – " + game.players[1] + "\n";
  if (made) {
    told += fill(words.ply, {ply, move: made.move});
    if (made.score !== null) told += ", " + fill(words.score, made);
    if (made.depth !== null) told += ", " + fill(words.depth, made);
    told += ", " + made.seconds.toFixed(3) + " s";
  } else told += words.opening;
  if (ply === pictures.length - 1) told += "\n" + game.reason + (game.error ? "\n" + game.error : "");
  said.textContent = told;
  moves.querySelectorAll("span").forEach((span, i) => {
    if (i === ply - 1) span.setAttribute("aria-current", "true"); else span.removeAttribute("aria-current");
  });
}
async function choose(number) {
  const wanted = games[number];
  const drawn = await unpack(wanted.packed);
  game = wanted; pictures = drawn;
  document.querySelectorAll("#games button").forEach(button => {
    if (Number(button.dataset.game) === number) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
  moves.replaceChildren(...game.moves.flatMap((made, i) => {
    const span = document.createElement("span");
    span.textContent = made.move;
    span.addEventListener("click", () => show(i + 1));
    return [span, " "];
  }));
  show(0);
}
document.getElementById("games").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button) choose(Number(button.dataset.game));
});
document.querySelector(".steps").addEventListener("click", event => {
  const step = event.target.dataset.step;
  if (step) show({first: 0, back: ply - 1, on: ply + 1, last: 1e9}[step]);
});
document.addEventListener("keydown", event => {
  if (event.key === "ArrowRight") show(ply + 1);
  else if (event.key === "ArrowLeft") show(ply - 1);
  else return;
  if (game) event.preventDefault();
});
document.querySelector(".cross").addEventListener("click", event => {
  const cell = event.target.closest("button");
  if (!cell) return;
  const both = [cell.dataset.one, cell.dataset.other].sort().join("\n");
  let first = null, number = 0;
  document.querySelectorAll("#games li").forEach(item => {
    const hit = JSON.parse(item.dataset.players).sort().join("\n") === both;
    item.hidden = !hit;
    if (hit) { number += 1; first = first ?? item; }
  });
  which.textContent = fill(words.games, {one: cell.dataset.one, other: cell.dataset.other, number});
  which.scrollIntoView({block: "start"});
  if (first) choose(Number(first.querySelector("button").dataset.game));
});
/** The results of one contestant of a large tournament, by the order of the standings; its neighbours are marked. */
function showResults(name) {
  const mine = met.names.indexOf(name);
  const make = (kind, text = "") => Object.assign(document.createElement(kind), {textContent: text});
  if (mine < 0) {
    found.replaceChildren(...(name ? [make("p", words.none)] : []));
    return;
  }
  const rows = met.rows.flatMap(([one, other, won, drawn, lost]) => one === mine ? [[other, won, drawn, lost]] : other === mine ? [[one, lost, drawn, won]] : []);
  const table = make("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  head.append(...["", ...words.heading].map(text => make("th", text)));
  for (const [other, won, drawn, lost] of rows.sort((a, b) => a[0] - b[0])) {
    const row = body.insertRow();
    if (Math.abs(other - mine) === 1) row.className = "neighbour";
    const score = (100 * (won + drawn / 2) / (won + drawn + lost)).toFixed(1) + "%";
    row.append(...[other + 1, met.names[other], won, drawn, lost, score].map(text => make("td", text)));
    row.cells[1].className = "name";
  }
  found.replaceChildren(table);
}
const found = document.getElementById("found"), find = document.getElementById("find");
find?.addEventListener("input", () => showResults(find.value));
if (games.length) choose(0);
