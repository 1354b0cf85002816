// What a published player says about a position, with its own budget. Node and a browser use the same function.

function answer(player, state) {
  const over = player.isOver(state);
  return {
    moves: player.moves(state),
    over,
    mover: player.mover(state),
    key: String(player.key(state)),
    outcome: over ? player.outcome(state) : null,
    ...(over ? {} : player.search(state)),
  };
}

export { answer };
