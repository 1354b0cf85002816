// What OpenSpiel's C++ does, for a C++ program: its alpha-beta and its rules of Connect 4, as compiled in the wheel.
// pyspiel does not offer its AlphaBetaSearch to Python, but exports it; this calls it, with an evaluation in C++.

#include <memory>
#include <random>
#include <string>

#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/spiel.h"

namespace {

constexpr open_spiel::Action kMiddle = 3;
constexpr double kScale = 16;  // a win is 1 in OpenSpiel: stones in the middle, at most 6, must stay below it

const open_spiel::Game& ConnectFour() {
  static const std::shared_ptr<const open_spiel::Game> game = open_spiel::LoadGame("connect_four");
  return *game;
}

std::unique_ptr<open_spiel::State> StateAfter(const char* columns) {
  std::unique_ptr<open_spiel::State> state = ConnectFour().NewInitialState();
  for (; *columns; ++columns) state->ApplyAction(*columns - '1');
  return state;
}

long CountMoves(const open_spiel::State& state, int depth) {
  const std::vector<open_spiel::Action> actions = state.LegalActions();
  if (depth == 1) return actions.size();
  long leaves = 0;
  for (open_spiel::Action action : actions) leaves += CountMoves(*state.Child(action), depth - 1);
  return leaves;
}

long VisitLeaves(const open_spiel::State& state, int depth, long* ended) {
  if (depth == 0) {
    *ended += state.IsTerminal();
    return 1;
  }
  long leaves = 0;
  for (open_spiel::Action action : state.LegalActions()) leaves += VisitLeaves(*state.Child(action), depth - 1, ended);
  return leaves;
}

}  // namespace

// The value of the position after these columns (1 to 7) for the player to move, and how often it was evaluated.
// The history is the cheapest way to the stones: the board itself is private.
extern "C" double alpha_beta(const char* columns, int depth, long* evaluated) {
  const std::unique_ptr<open_spiel::State> root = StateAfter(columns);
  const open_spiel::Player player = root->CurrentPlayer();
  long calls = 0;
  auto middle = [player, &calls](const open_spiel::State& state) {
    ++calls;
    int stones = 0;
    for (const auto& move : state.FullHistory()) {
      if (move.action == kMiddle) stones += move.player == player ? 1 : -1;
    }
    return stones / kScale;
  };
  // Without undoing moves: its Connect 4 cannot.
  const auto found = open_spiel::algorithms::AlphaBetaSearch(ConnectFour(), root.get(), middle, depth, player, false);
  *evaluated = calls;
  return found.first * kScale;
}

// Perft from the start, the moves of the last ply counted, not played.
extern "C" long perft_in_bulk(int depth) { return CountMoves(*StateAfter(""), depth); }

// Perft from the start, every leaf visited: how many there are, and in how many of them the game has ended.
extern "C" long perft_by_visiting(int depth, long* ended) {
  *ended = 0;
  return VisitLeaves(*StateAfter(""), depth, ended);
}

// Perft from the start of any game (its OpenSpiel name), the moves of the last ply counted, not played.
extern "C" long game_perft(const char* game, int depth) {
  return CountMoves(*open_spiel::LoadGame(std::string(game))->NewInitialState(), depth);
}

// Random games from the start of any game; returns the plies played in all of them.
extern "C" long random_games(const char* game, int number, int seed) {
  const std::shared_ptr<const open_spiel::Game> loaded = open_spiel::LoadGame(std::string(game));
  std::mt19937 chance(seed);
  long plies = 0;
  for (int i = 0; i < number; ++i) {
    std::unique_ptr<open_spiel::State> state = loaded->NewInitialState();
    while (!state->IsTerminal()) {
      const std::vector<open_spiel::Action> actions = state->LegalActions();
      state->ApplyAction(actions[std::uniform_int_distribution<size_t>(0, actions.size() - 1)(chance)]);
      ++plies;
    }
  }
  return plies;
}

// Alpha-beta from the start of any game, every position at the horizon worth 0; returns how many were evaluated.
extern "C" long game_alpha_beta(const char* game, int depth) {
  const std::shared_ptr<const open_spiel::Game> loaded = open_spiel::LoadGame(std::string(game));
  const std::unique_ptr<open_spiel::State> root = loaded->NewInitialState();
  long calls = 0;
  auto nothing = [&calls](const open_spiel::State&) {
    ++calls;
    return 0.0;
  };
  open_spiel::algorithms::AlphaBetaSearch(*loaded, root.get(), nothing, depth, root->CurrentPlayer(), false);
  return calls;
}
