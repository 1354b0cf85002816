"""A Hex engine that speaks GTP: it plays the free cell nearest to the middle. Plain Python, nothing to install."""

import sys


class Board:
    """The cells that are taken. This simple program does not need to know by whom."""

    def __init__(self, size):
        self.size, self.taken = size, set()

    def nearest_to_the_middle(self):
        middle = (self.size - 1) / 2
        cells = [(column, row) for row in range(self.size) for column in range(self.size)]
        free = [cell for cell in cells if name(*cell) not in self.taken]
        return name(*min(free, key=lambda cell: (abs(cell[0] - middle) + abs(cell[1] - middle), cell)))


def name(column, row):
    return f"{'abcdefghijklmnopqrstuvwxyz'[column]}{row + 1}"


def answer(board, command, arguments):
    """What to say to a command, and whether it was understood."""
    if command == "name":
        return "middle", True
    if command == "boardsize":
        board.__init__(int(arguments[0]))
    elif command == "clear_board":
        board.taken.clear()
    elif command == "play":
        move = arguments[1].lower()
        if move in board.taken:
            return f"{move} is taken", False
        board.taken.add(move)
    elif command == "genmove":
        move = board.nearest_to_the_middle()
        board.taken.add(move)
        return move, True
    elif command != "quit":
        return "unknown command", False
    return "", True


def main():
    board = Board(11)
    for line in sys.stdin:
        command, *arguments = line.split() or [""]
        said, understood = answer(board, command, arguments)
        print(f"{'=' if understood else '?'} {said}\n", flush=True)
        if command == "quit":
            return


if __name__ == "__main__":
    main()
