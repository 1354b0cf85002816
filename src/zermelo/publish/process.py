"""The process that compiles a module: it reads a request as JSON from standard input and writes the module to a file.

A process of its own, because Numba's code must be taken before it is optimised for this machine, and what another
process has compiled or loaded from the cache is already. So nothing may be compiled before `keep_texts`.
"""

import json
import sys
import traceback
from pathlib import Path

from zermelo.core import numba_private
from zermelo.core.cache import CodeCache


def main() -> None:
    request = json.load(sys.stdin)
    numba_private.keep_texts()
    numba_private.number_functions_from(1)  # so that the same request gives the same bytes
    CodeCache.in_use = False
    from zermelo.errors import ZermeloError
    from zermelo.publish.compiling import build  # only now, since it imports what compiles

    try:
        Path(request["out"]).write_bytes(build(request["game"], request["player"]))
        answer = {}
    except ZermeloError as error:
        answer = {"error": str(error)}
    except Exception:
        answer = {"bug": traceback.format_exc()}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
