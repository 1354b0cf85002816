# Connect 4: a class with methods.
# outcome: plain
import zermelo as z


class Evaluator:
    def __init__(self, bonus):
        self.bonus = bonus

    def column(self, board, column):
        return sum(board[row, column] for row in range(board.rows))

    def value(self, board):
        return self.bonus * self.column(board, 3) + self.column(board, 2) + self.column(board, 4)


evaluator = Evaluator(bonus=3)


@z.heuristic
def by_object(board: z.Connect4):
    return evaluator.value(board)
