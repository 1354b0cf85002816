"""Publishing: a game and a player as one WebAssembly module, and pages that play without a server."""
