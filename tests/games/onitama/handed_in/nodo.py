"""El nodo de la memoria "Heurística: Onitama", con su función eval."""
import math
from copy import deepcopy


class Nodo:
    def __init__(self, estado, jugador, cartas, padre=None):
        self.estado = estado
        self.jugador = jugador
        self.cartas = cartas
        self.padre = padre

    def eval (self):
        contadorJ = contadorE = 0
        mJ = mE = 0
        if self.jugador == 0:
            peonJugador = 'w'
            peonEnemigo = 'b'
            maestroJugador = 'W'
            maestroEnemigo = 'B'
        else:
            peonJugador = 'b'
            peonEnemigo = 'w'
            maestroJugador = 'B'
            maestroEnemigo = 'W'
        for i in range (len(self.estado)):
            for j in range(len(self.estado[i])):
                if self.estado[i][j] == peonJugador:
                    contadorJ = contadorJ + 1
                elif self.estado[i][j] == maestroJugador:
                    mJ = 1
                elif self.estado[i][j] == maestroEnemigo:
                    mE = 1
                elif self.estado[i][j] == peonEnemigo:
                    contadorE = contadorE + 1

        return 100*(mJ-mE) + 10*(contadorJ - contadorE)


class NodoAvance(Nodo):
    """Lo mismo, y cuánto han avanzado los peones; la fila 0 está arriba y el jugador 0 abajo."""
    PESO = 2

    def eval(self):
        avance = 0
        for fila, casillas in enumerate(self.estado):
            avance += (4 - fila) * casillas.count('w') - fila * casillas.count('b')
        return super().eval() + self.PESO * (avance if self.jugador == 0 else -avance)


def alfabeta(nodo, profundidad, alfa=-math.inf, beta=math.inf):
    return nodo.eval()
