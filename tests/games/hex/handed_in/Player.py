"""El jugador de Hex de la memoria "Proyecto de Inteligencia Artificial" (Sánchez, 2023), escrito de nuevo.

The report prints its minimax and describes the rest. Two things differ from it, as they do in our heuristics: the
distance may begin at any cell of the edge, and stones that touch are no bridge.
"""
import heapq
import random
from itertools import combinations
from typing import List, Tuple

from HexBoard import HexBoard


class Player:
    def __init__(self, player_id: int):
        self.player_id = player_id  # Tu identificador (1 o 2)

    def play(self, board: HexBoard) -> tuple:
        raise NotImplementedError("¡Implementa este método!")


class RandomPlayer(Player):
    def play(self, board: "HexBoard") -> tuple:
        return random.choice(board.get_possible_moves())


class MiniMaxPlayer(Player):
    def __init__(self, player_id: int, TOP_MOVES: int = 5):
        super().__init__(player_id)
        self.TOP_MOVES = TOP_MOVES

    def play(self, board: HexBoard, depth: int = 2) -> Tuple[int, int]:
        _, move = self.minimax(board, depth, -float('inf'), float('inf'), self.player_id, True)
        return move

    def minimax(self, board, depth, alpha, beta, player, maximizing_player):
        if board.check_connection(1) or board.check_connection(2) or depth == 0:
            return self.heuristic(board), None
        valid_moves = self.ordered(board, player)
        best_move = valid_moves[0]
        if maximizing_player:
            max_eval = -float('inf')

            for move in valid_moves:
                row, col = move
                game_copy = board.clone()
                game_copy.place_piece(row, col, player)

                evaluation, _ = self.minimax(game_copy, depth-1, alpha, beta, (3 - player), False)
                if evaluation > max_eval:
                    max_eval = evaluation
                    best_move = move

                #Yo maximizo, mi padre minimiza
                #Si mi alpha es mayor que el beta de mi padre, dejo de buscar
                alpha = max(alpha, evaluation)
                if beta <= alpha:
                    break

            return max_eval, best_move
        else:
            min_eval = float('inf')
            for move in valid_moves:
                row, col = move
                game_copy = board.clone()
                game_copy.place_piece(row, col, player)
                evaluation, _ = self.minimax(game_copy, depth-1, alpha, beta, (3 - player), True)
                if evaluation < min_eval:
                    min_eval = evaluation
                    best_move = move
                beta = min(beta, evaluation)
                if beta <= alpha:
                    break
            return min_eval, best_move

    def ordered(self, board, player) -> List[tuple]:
        def value(move):
            game_copy = board.clone()
            game_copy.place_piece(*move, player)
            result = self.heuristic(game_copy)
            return -result if player == self.player_id else result
        return sorted(board.get_possible_moves(), key=value)[:self.TOP_MOVES]

    def heuristic(self, board) -> float:
        me, other = self.player_id, 3 - self.player_id
        cells = self.dijkstra(board, other) - self.dijkstra(board, me)
        return 100 * cells + 20 * (self.find_bridges(board, me) - self.find_bridges(board, other))

    def adjacent(self, board, row, col):
        for dr, dc in [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)]:
            if 0 <= row + dr < board.size and 0 <= col + dc < board.size:
                yield row + dr, col + dc

    def dijkstra(self, board, player) -> int:
        """Casillas que faltan: columnas para el jugador 1, filas para el 2."""
        n = board.size
        cost = lambda cell: 0 if board.board[cell[0]][cell[1]] == player else 1
        wall = 3 - player
        edge = [(i, 0) if player == 1 else (0, i) for i in range(n)]
        queue = [(cost(cell), cell) for cell in edge if board.board[cell[0]][cell[1]] != wall]
        heapq.heapify(queue)
        seen = set()
        while queue:
            distance, cell = heapq.heappop(queue)
            if cell in seen:
                continue
            seen.add(cell)
            if cell[1 if player == 1 else 0] == n - 1:
                return distance
            for near in self.adjacent(board, *cell):
                if near not in seen and board.board[near[0]][near[1]] != wall:
                    heapq.heappush(queue, (distance + cost(near), near))
        return n

    def find_bridges(self, board, player) -> int:
        count = 0
        stones = [(r, c) for r in range(board.size) for c in range(board.size) if board.board[r][c] == player]
        for a, b in combinations(stones, 2):
            if abs(a[0] - b[0]) <= 2 and abs(a[1] - b[1]) <= 2:
                near = set(self.adjacent(board, *a))
                if b in near:
                    continue
                common = [cell for cell in near & set(self.adjacent(board, *b)) if board.board[cell[0]][cell[1]] == 0]
                if len(common) == 2:
                    count += 1
        return count


if __name__ == "__main__":
    print(MiniMaxPlayer(1).play(HexBoard(5)))
