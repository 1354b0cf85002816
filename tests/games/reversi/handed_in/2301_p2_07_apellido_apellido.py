"""Las heurísticas del informe de Reversi, escritas como se entregaban en la práctica.

The listings of the Reversi report, completed to whole classes; the file's name is in the course's form.
"""
from __future__ import annotations  # For Python 3.7

import time
from typing import Sequence

import numpy as np

from game import (
    TwoPlayerGameState,
)
from heuristic import (
    simple_evaluation_function,
)
from reversi import (
    Reversi,
    from_array_to_dictionary_board,
    from_dictionary_to_array_board,
)
from strategy import MinimaxAlphaBetaStrategy
from tournament import (
    StudentHeuristic,
    Tournament,
)

esqj = [0, 7]
diri = [-1, 1, -1, -1, 0, 0, 1, 1]
dirj = [0, 0, 1, -1, 1, -1, 1, -1]

MAPA = [[ 4, -3,  2,  2,  2,  2, -3,  4],
        [-3, -4, -1, -1, -1, -1, -4, -3],
        [ 2, -1,  1,  0,  0,  1, -1,  2],
        [ 2, -1,  0,  1,  1,  0, -1,  2],
        [ 2, -1,  0,  1,  1,  0, -1,  2],
        [ 2, -1,  1,  0,  0,  1, -1,  2],
        [-3, -4, -1, -1, -1, -1, -4, -3],
        [ 4, -3,  2,  2,  2,  2, -3,  4]]


class Fichas(StudentHeuristic):
  def get_name(self) -> str:
    return "diferencia de fichas"
  def evaluation_function(self, state: TwoPlayerGameState) -> float:
    dif = state.scores[0]-state.scores[1]
    if state.is_player_max(state.player1):
        return dif
    else:
        return -dif


class Inversa(StudentHeuristic):
  def get_name(self) -> str:
    return "inversa"
  def evaluation_function(self, state: TwoPlayerGameState) -> float:
    if state.is_player_max(state.player1): #si somos el jugador 1
        return 64 - state.scores[0] # 8*8=64 es el max
    else:
        return 64 - state.scores[1] #si somos el jugador 2


class Movilidad(StudentHeuristic):
  def get_name(self) -> str:
    return "movilidad"
  def evaluation_function(self, state: TwoPlayerGameState) -> float:
    mov=len(state.game._get_valid_moves(state.board,state.player1.label)) - len(state.game._get_valid_moves(state.board,state.player2.label))
    if state.is_player_max(state.player1): #si somos el jugador 1
        return mov
    return -mov


class Juntas(StudentHeuristic):
  """Las dos primeras."""
  def __init__(self):
    super().__init__()
    self.partes = [Fichas(), Movilidad()]
    self.llamadas = 0
  def get_name(self) -> str:
    return "fichas y movilidad"
  def evaluation_function(self, state: TwoPlayerGameState) -> float:
    self.llamadas += 1
    return sum(parte.evaluation_function(state) for parte in self.partes)


class Esquinas(StudentHeuristic):
  CORREGIDA = True

  def get_name(self) -> str:
    return "esquinas"

  def evaluation_function(self, state: TwoPlayerGameState) -> float:
    c1 = c2 = 0
    mov1 = len(state.game._get_valid_moves(state.board,state.player1.label))
    mov2 = len(state.game._get_valid_moves(state.board,state.player2.label))
    p1 = state.scores[0]
    p2 = state.scores[1]
    for i in esqj:
        for j in esqj:
            pos = state.board.get((i+1, j+1), '_')
            if(pos == state.player1.label): #si en esa esquina esta el jugador 1
                c1 = c1+1 #sumamos 1 a las esquinas de jugador 1
            elif (pos == state.player2.label): #si en esa esquina esta el jugador 2
                c2 = c2+1 #sumamos 1 a las esquinas de jugador 2
    result=0
    if(c1+c2!=0):
        result=result + (70/100) * ((c1-c2)/(c1+c2)*100)
    if(mov1+mov2!=0):
        result=result + (15/100) * ((mov1-mov2)/(mov1+mov2)*100)
    if(p1+p2!=0):
        if self.CORREGIDA:
            result=result + (15/100) * ((p1-p2)/(p1+p2)*100)
        else:
            result+=result + (15/100) * ((p1-p2)/(p1+p2)*100)
    return result if state.is_player_max(state.player1) else -result


class EsquinasImpresas(Esquinas):
  """Como en la memoria, que dobla esquinas y movilidad."""
  CORREGIDA = False

  def get_name(self) -> str:
    return "esquinas, como en la memoria"


class Final(StudentHeuristic):
  """Mapa de influencia, esquinas, frontera, movilidad y fichas, con nuestros pesos."""

  def get_name(self) -> str:
    return "final"

  def evaluation_function(self, state: TwoPlayerGameState) -> float:
    filas = from_dictionary_to_array_board(state.board, state.game.height, state.game.width)
    assert from_array_to_dictionary_board(filas) == state.board
    mapa = np.array(MAPA)
    mapa[3:5, 3:5] = -1
    suma = c1 = c2 = fm1 = fm2 = 0
    for i in range(8):
        for j in range(8):
            pos = state.board.get((i+1, j+1), '_')
            if pos == '_': #posición vacía (comprobar discos frontera)
                for aux in range(8):
                    pos = state.board.get((i+1 + diri[aux], j+1 + dirj[aux]), '_')
                    if(pos == state.player1.label):
                        fm1+=1
                    elif (pos == state.player2.label):
                        fm2+=1
                continue
            signo = 1 if pos == state.player1.label else -1
            suma += signo * mapa[j][i]
            if i in esqj and j in esqj:
                if signo == 1:
                    c1 += 1
                else:
                    c2 += 1
    mov1 = len(state.game._get_valid_moves(state.board,state.player1.label))
    mov2 = len(state.game._get_valid_moves(state.board,state.player2.label))
    valor = 5 * suma + 80 * 25 * (c1 - c2)
    valor -= 7.4 * self.porcentaje(fm1, fm2)
    valor += 7.9 * self.porcentaje(mov1, mov2)
    valor += self.porcentaje(*state.scores)
    return np.rint(valor if state.is_player_max(state.player1) else -valor)

  def porcentaje(self, a, b):
    return 100 * (a - b) / (a + b) if a + b else 0


if __name__ == "__main__":
    Tournament(max_depth=3, init_match=None)
