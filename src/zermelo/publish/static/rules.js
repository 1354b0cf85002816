// The rules of a compiled player for translated Python: states are tuples with names there, and bytes in the module.

const READERS = {
  uint64: ["getBigUint64", "setBigUint64"], int64: ["getBigInt64", "setBigInt64"],
  uint32: ["getUint32", "setUint32"], int32: ["getInt32", "setInt32"],
  uint16: ["getUint16", "setUint16"], int16: ["getInt16", "setInt16"],
  uint8: ["getUint8", "setUint8"], int8: ["getInt8", "setInt8"], bool: ["getUint8", "setUint8"],
};

/** The questions of zermelo.rules, answered by a loaded module. State makes a state from its fields. */
export function rulesOf(player, State) {
  const {fields, size} = player.manifest.state;
  const known = new WeakMap();
  const kinds = fields.map(({type}) => READERS[type.replace(/_$/, "")]);

  function opened(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, size);
    const values = fields.map(({type, offset}, at) => {
      const value = view[kinds[at][0]](offset, true);
      return type === "int64" ? Number(value) : value;
    });
    const state = State(...values);
    known.set(state, bytes);
    return state;
  }

  function bytesOf(state) {
    if (known.has(state)) return known.get(state);
    const bytes = new Uint8Array(size);
    const view = new DataView(bytes.buffer);
    fields.forEach(({type, offset}, at) => view[kinds[at][1]](offset, type.endsWith("64") ? BigInt(state[at]) : Number(state[at]), true));
    return bytes;
  }

  return {
    bytesOf,
    opened,
    start: () => opened(player.start()),
    moves_of: (state) => player.moves(bytesOf(state)),
    play: (state, move) => opened(player.play(bytesOf(state), Number(move))),
    is_over: (state) => player.isOver(bytesOf(state)),
    outcome: (state) => player.outcome(bytesOf(state)),
    margin: (state) => player.margin(bytesOf(state)),
    to_move: (state) => player.mover(bytesOf(state)),
    key: (state) => player.key(bytesOf(state)),
  };
}
