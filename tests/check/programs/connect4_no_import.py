# Connect 4: forgets the import.
# outcome: error
# at: @z.heuristic
# says: name 'z' is not defined
@z.heuristic
def stones(board: z.Connect4):
    return len(board.mine) - len(board.theirs)
