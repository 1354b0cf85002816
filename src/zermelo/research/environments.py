"""Every game as an environment of PettingZoo, in which agents take turns. It needs the extra `pettingzoo`."""

from typing import Any

import numpy as np

from zermelo.errors import ZermeloError
from zermelo.games import PositionLike, find_position

try:
    import gymnasium
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ZermeloError("environments need PettingZoo; install it with: pip install 'zermelo[pettingzoo]'") from None

AGENTS = ("player_1", "player_2")
MOST_PLIES = 1000
RENDER_MODES = ("ansi", "human")


class Environment(AECEnv):  # type: ignore[misc]
    """A game for two agents, `player_1` and `player_2`. The same agent may move several times in a row.

    An agent observes {"observation": planes, "action_mask": mask}: the planes of the position as this agent sees it,
    and a 1 for each action that it may choose now. When the game ends, the winner gets 1 and the loser -1. After
    most_plies the game is truncated.
    """

    metadata = {  # noqa: RUF012
        "name": "zermelo",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self, game: PositionLike, *, render_mode: str | None = None, varied: bool = False, most_plies: int = MOST_PLIES
    ) -> None:
        """With varied, the seed of reset() chooses the start in games that have several, such as Onitama's cards."""
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ZermeloError(
                "render_mode={render_mode!r} is not one of {known}",
                render_mode=render_mode,
                known=", ".join(RENDER_MODES),
            )
        self.start = find_position(game)
        self.game = self.start.game
        self.metadata = self.metadata | {"name": f"zermelo_{self.game.name}"}
        self.render_mode, self.varied, self.most_plies = render_mode, varied, most_plies
        self._deals = np.random.default_rng()
        self.possible_agents = list(AGENTS)
        layout = self.game.layout
        low, high = (0.0, 1.0) if layout.is_own else (-np.inf, np.inf)
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, layout.shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (layout.actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._action_spaces = {agent: spaces.Discrete(layout.actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        """What an agent observes."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The actions of an agent; action_mask says which of them are legal."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        self.position = self.start
        if seed is not None:
            self._deals = np.random.default_rng(seed)
        if self.varied:
            self.position = self.game.varied_start(int(self._deals.integers(1 << 32)))
        self.plies = 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.to_move - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as an agent sees it, with the actions that it may choose now."""
        player = AGENTS.index(agent) + 1
        is_on_turn = player == self.position.to_move and agent == self.agent_selection
        mask = self.position.action_mask()
        return {"observation": self.position.planes(player), "action_mask": mask if is_on_turn else np.zeros_like(mask)}

    def step(self, action: Any) -> None:
        """Play an action of the agent that is to move."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.position = self.position.play_action(action)
        self.plies += 1
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        if self.position.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
            winner = self.position.winner
            if winner is not None:
                self.rewards = {agent: 1.0 if AGENTS.index(agent) + 1 == winner else -1.0 for agent in AGENTS}
            self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]
        elif self.plies >= self.most_plies:
            self.truncations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(self.agent_selection)]
        else:
            self.agent_selection = AGENTS[self.position.to_move - 1]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text; in the mode `human` it is printed."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing, because no render_mode was chosen.")
            return None
        text = repr(self.position)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Nothing is left open."""


def environment(
    game: PositionLike, *, render_mode: str | None = None, varied: bool = False, most_plies: int = MOST_PLIES
) -> Any:
    """An environment of PettingZoo (AEC) for a game, with its usual wrappers: an illegal action loses the game.

    The game is a game, its name, or a position from which it begins. With varied, the seed of reset() chooses the start
    in games that have several. It needs the extra `pettingzoo`.
    """
    made = Environment(game, render_mode=render_mode, varied=varied, most_plies=most_plies)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(made, illegal_reward=-1))
    )
