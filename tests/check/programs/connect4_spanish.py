# Connect 4: names and comments in Spanish, with accents.
# outcome: compiles
import zermelo as z

DISTANCIA_MÁXIMA = 3


def posición(columna):
    # cuanto más cerca del centro, mejor
    return DISTANCIA_MÁXIMA - abs(columna - 3)


@z.heuristic
def evaluación(tablero: z.Connect4):
    """Suma de las posiciones de las fichas."""
    puntuación = 0
    for fila in range(tablero.rows):
        for columna in range(tablero.columns):
            puntuación += tablero[fila, columna] * posición(columna)
    return puntuación
