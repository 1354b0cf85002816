// The dialogs: the form for a new game, and the choice between several moves.

/** Prepare the fields of the form for a new game that depend on others. */
export function prepareNewGame(dialog) {
  for (const select of dialog.querySelectorAll("select[data-other]")) {
    const other = document.getElementById(select.dataset.other);
    select.addEventListener("change", () => {
      other.hidden = select.value !== "";
      if (other.hidden) other.value = "";
      else other.focus();
    });
  }
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  dialog.querySelector("[data-deal]")?.addEventListener("click", () => {
    dialog.querySelector('[name="seed"]').value = Math.floor(Math.random() * 100000);
    for (const field of dialog.querySelectorAll("[data-by-seed]")) field.value = "";
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
}

/** Ask which of several moves, [[move, label], ...], is meant, and call play(move). */
export function chooseMove(moves, play) {
  const dialog = document.getElementById("several");
  const buttons = moves.map(([move, label]) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.addEventListener("click", () => {
      dialog.close();
      play(move);
    });
    return button;
  });
  document.getElementById("several-moves").replaceChildren(...buttons);
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.showModal();
}
