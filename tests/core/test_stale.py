"""Compiled code is never out of date: what changes it changes the digest, within a process and between processes."""

import importlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zermelo.core import JIT
from zermelo.core.worlds import loaded
from zermelo.games import find_game, load_file

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

HEAD = """
import numpy as np
import numba
from numba.extending import overload, overload_attribute, overload_method, register_jitable
from zermelo import heuristic, njit
from zermelo.games.connect4 import Connect4
"""

TABLES = "import numpy as np\nTABLES = (np.zeros(5000, np.int64), np.zeros(5000, np.int64))\n"

# What the heuristic says; a helper module before and after an edit.
CASES = {
    "constant": ("import hlp\n@heuristic\ndef h(s: Connect4): return hlp.A", "A = 1", "A = 2"),
    "nested_constant": ("import pk.hlp\n@heuristic\ndef h(s: Connect4): return pk.hlp.A", "A = 1", "A = 2"),
    "nested_function": (
        "import pk.hlp\n@heuristic\ndef h(s: Connect4): return pk.hlp.f()",
        "from zermelo import njit\n@njit\ndef f(): return 1",
        "from zermelo import njit\n@njit\ndef f(): return 2",
    ),
    "enum": (
        "from hlp import E\n@heuristic\ndef h(s: Connect4): return E.X + 0",
        "import enum\nclass E(enum.IntEnum):\n    X = 1",
        "import enum\nclass E(enum.IntEnum):\n    X = 2",
    ),
    "tuple_of_arrays": (
        "from hlp import TABLES\n@heuristic\ndef h(s: Connect4): return TABLES[1][2500]",
        TABLES + "TABLES[1][2500] = 1",
        TABLES + "TABLES[1][2500] = 2",
    ),
    "default": (
        "from hlp import K\n@njit\ndef f(s, k=K): return k\n@heuristic\ndef h(s: Connect4): return f(s)",
        "K = 1",
        "K = 2",
    ),
    "plain_function": (
        "from hlp import f\n@heuristic\ndef h(s: Connect4): return f(1)",
        "def g(x): return x\ndef f(x): return g(x)",
        "def g(x): return 2 * x\ndef f(x): return g(x)",
    ),
    "function_of_a_module": (
        "import hlp\n@heuristic\ndef h(s: Connect4): return sum(hlp.f(x) for x in range(2))",
        "T = [[0, 1]]\ndef f(x): return T[0][x]",
        "T = [[0, 2]]\ndef f(x): return T[0][x]",
    ),
    "dictionary": (
        "from hlp import D\n@heuristic\ndef h(s: Connect4): return D['a']['x'] + D['b'].get(int(s.mine), 0)",
        "D = {'a': {'x': 1}, 'b': {0: 0}}",
        "D = {'a': {'x': 1}, 'b': {0: 1}}",
    ),
    "overload": (
        "from hlp import f\n@heuristic\ndef h(s: Connect4): return f()",
        "from numba.extending import overload\ndef f(): pass\n@overload(f)\ndef _(): return lambda: 1",
        "from numba.extending import overload\ndef f(): pass\n@overload(f)\ndef _(): return lambda: 2",
    ),
}

RELATIVES = {
    "list_in_a_default": (
        "from hlp import f\n@heuristic\ndef h(s: Connect4): return f(0)",
        "def f(x, table=[1, 2]): return table[x]",
        "def f(x, table=[2, 2]): return table[x]",
    ),
    "set": (
        "from hlp import S\n@heuristic\ndef h(s: Connect4): return 1 + ((0, int(s.mine)) in S)",
        "S = {(1, 1)}",
        "S = {(0, 0)}",
    ),
    "key_of_a_dictionary": (
        "from hlp import D\n@heuristic\ndef h(s: Connect4): return max(D)",
        "D = {1: 5, 0: 5}",
        "D = {2: 5, 0: 5}",
    ),
    "three_deep": ("import pk.hlp\nP = pk\n@heuristic\ndef h(s: Connect4): return P.hlp.A", "A = 1", "A = 2"),
    "closure": (
        "import hlp\ndef make(k):\n    @heuristic\n    def h(s: Connect4): return k\n    return h\nh = make(hlp.K)",
        "K = 1",
        "K = 2",
    ),
    "keyword_default": (
        "from hlp import K\n@njit\ndef f(s, *, k=K): return k\n@heuristic\ndef h(s: Connect4): return f(s)",
        "K = 1",
        "K = 2",
    ),
    "enum_in_module": (
        "import hlp\n@heuristic\ndef h(s: Connect4): return hlp.E.X + 0",
        "import enum\nclass E(enum.IntEnum):\n    X = 1",
        "import enum\nclass E(enum.IntEnum):\n    X = 2",
    ),
    "middle_of_an_array": (
        "from hlp import T\n@heuristic\ndef h(s: Connect4): return T[2500]",
        "import numpy as np\nT = np.zeros(5000)\nT[2500] = 1",
        "import numpy as np\nT = np.zeros(5000)\nT[2500] = 2",
    ),
    "array_in_nested_tuples": (
        "from hlp import T\n@heuristic\ndef h(s: Connect4): return T[0][0][2500]",
        "import numpy as np\nT = ((np.zeros(5000), 1), 2)\nT[0][0][2500] = 1",
        "import numpy as np\nT = ((np.zeros(5000), 1), 2)\nT[0][0][2500] = 2",
    ),
    "overload_of_numpy": (
        "import hlp\n@heuristic\ndef h(s: Connect4): return np.block(1)",
        "import numpy as np\nfrom numba.extending import overload\n"
        "@overload(np.block)\ndef _(x): return lambda x: x + 1",
        "import numpy as np\nfrom numba.extending import overload\n"
        "@overload(np.block)\ndef _(x): return lambda x: x + 2",
    ),
    "overload_of_a_method": (
        "import hlp\n@heuristic\ndef h(s: Connect4): return numba.int64(1).f()",
        "from numba import types\nfrom numba.extending import overload_method\n"
        "@overload_method(types.Integer, 'f')\ndef _(x): return lambda x: 1",
        "from numba import types\nfrom numba.extending import overload_method\n"
        "@overload_method(types.Integer, 'f')\ndef _(x): return lambda x: 2",
    ),
    "register_jitable": (
        "from hlp import f\n@heuristic\ndef h(s: Connect4): return f()",
        "from numba.extending import register_jitable\n@register_jitable\ndef f(): return 1",
        "from numba.extending import register_jitable\n@register_jitable\ndef f(): return 2",
    ),
    "jitclass": (
        "from hlp import C\n@heuristic\ndef h(s: Connect4): return C(1).f()",
        "import numba\n@numba.experimental.jitclass([('x', numba.int64)])\nclass C:\n"
        "    def __init__(self, x): self.x = x\n    def f(self): return self.x",
        "import numba\n@numba.experimental.jitclass([('x', numba.int64)])\nclass C:\n"
        "    def __init__(self, x): self.x = x\n    def f(self): return 2 * self.x",
    ),
    "intrinsic": (
        "from hlp import f\n@heuristic\ndef h(s: Connect4): return f()",
        "from numba import types\nfrom numba.extending import intrinsic\n@intrinsic\ndef f(context):\n"
        "    return types.int64(), lambda c, b, s, a: c.get_constant(types.int64, 1)",
        "from numba import types\nfrom numba.extending import intrinsic\n@intrinsic\ndef f(context):\n"
        "    return types.int64(), lambda c, b, s, a: c.get_constant(types.int64, 2)",
    ),
    "options": (
        "from hlp import f\n@heuristic\ndef h(s: Connect4): return f(1.5)",
        "from zermelo import njit\n@njit\ndef f(x): return x",
        "from zermelo import njit\n@njit(fastmath=True)\ndef f(x): return x",
    ),
}


def write_case(folder, case, after=False):
    code, *versions = (CASES | RELATIVES)[case]
    (folder / "pk").mkdir(parents=True, exist_ok=True)
    (folder / "pk" / "__init__.py").touch()
    (folder / f"h_{case}.py").write_text(HEAD + code.replace("hlp", f"hlp_{case}"))
    for place in (folder, folder / "pk"):
        (place / f"hlp_{case}.py").write_text(versions[after])


def digest(heuristic):
    from numba import int32, uint64

    from zermelo.core.digest import digest_of

    return digest_of(heuristic.function, int32(heuristic.classes[0].numba, uint64))


@pytest.mark.parametrize("case", [*CASES, *RELATIVES])
def test_an_edit_in_another_file_changes_the_digest(case, tmp_path):
    write_case(tmp_path, case)
    first = load_file(tmp_path / f"h_{case}.py")["h"]
    before = digest(first)
    assert digest(first) == before
    write_case(tmp_path, case, after=True)
    second = load_file(tmp_path / f"h_{case}.py")["h"]
    assert second is not first, "the edit is noticed in the same process"
    assert digest(second) != before
    if case not in ("overload_of_a_method", "overload_of_numpy"):  # what is replaced counts for what comes after it
        assert digest(first) == before, "what was loaded stays what it was"


VALUES = """
import sys
from pathlib import Path
from zermelo.core import announcing
from zermelo.games import find_game, load_file
for name in sys.argv[1:]:
    anew = []
    heuristic = load_file(Path("h_" + name + ".py"))["h"]
    with announcing(lambda: anew.append(1)):
        value = heuristic(find_game("connect4").start())
    print(value, bool(anew))
"""


def run(folder, program, *names):
    done = subprocess.run(
        [sys.executable, "-c", program, *names],
        cwd=folder,
        env=os.environ | {"ZERMELO_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_the_next_process_compiles_what_was_edited_and_only_that(tmp_path):
    for case in CASES:
        write_case(tmp_path, case)
    assert run(tmp_path, VALUES, *CASES) == ["1 True"] * len(CASES)
    assert run(tmp_path, VALUES, *CASES) == ["1 False"] * len(CASES)
    for case in CASES:
        write_case(tmp_path, case, after=True)
    assert run(tmp_path, VALUES, *CASES) == ["2 True"] * len(CASES)
    assert run(tmp_path, VALUES, *CASES) == ["2 False"] * len(CASES)


EDITED = """
from pathlib import Path
from zermelo.games import find_game, load_file
file = Path("h_mine.py")
heuristic = load_file(file)["h"]
file.write_text(file.read_text().replace("11", "22"))
print(heuristic(find_game("connect4").start()))
"""


def test_code_is_filed_under_the_text_that_was_loaded(tmp_path):
    """The file is edited after it was loaded and before it is compiled."""
    (tmp_path / "h_mine.py").write_text(HEAD + "@heuristic\ndef h(s: Connect4): return 11\n")
    assert run(tmp_path, EDITED) == ["11"]
    assert run(tmp_path, VALUES, "mine") == ["22 True"]


def test_quick_edits_of_one_length_are_noticed(tmp_path):
    """Within the tick of the file system's clock, and within the second by which Python knows its own byte-code."""
    file, start = tmp_path / "mine.py", find_game("connect4").start()
    for value in range(1, 6):
        file.write_text(HEAD + f"@heuristic\ndef h(s: Connect4): return {value}\n")
        os.utime(file, (1_000_000_000, 1_000_000_000) if value % 2 else None)
        assert load_file(file)["h"](start) == value


def test_an_unchanged_file_is_not_loaded_again(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(HEAD + "@heuristic\ndef h(s: Connect4): return 1\n")
    first = load_file(file)["h"]
    os.utime(file, (time.time() + 5, time.time() + 5))
    assert load_file(file)["h"] is first


def test_a_changed_constant_while_compiling_is_not_kept(tmp_path, monkeypatch):
    from zermelo.core import numba_private

    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "mine.py"
    file.write_text(HEAD + "K = 1\n@njit\ndef f(): return K\n")
    module = loaded(file)
    original = numba_private.is_self_contained

    def changing(data):
        module.K = 2
        return original(data)

    monkeypatch.setattr(numba_private, "is_self_contained", changing)
    assert module.f() == 1
    assert not list(tmp_path.glob("cache/mine*.nbc"))


TRACED = """
import zermelo.searches.recording as recording
from zermelo.core.digest import digest_of
from zermelo.games import find_game
from zermelo.searches.alphabeta import alphabeta
from zermelo.searches.recording import TRACED_WORK_TYPE
cls = type(find_game("connect4").start_state())
print(digest_of(alphabeta.py_func, (cls.numba, TRACED_WORK_TYPE)))
"""


def test_the_recording_of_searches_is_part_of_them(tmp_path):
    """Overloads of our own, in another module than the search: an edited recording.py changes traced searches."""
    import zermelo.searches.recording as recording

    text = Path(recording.__file__).read_text()
    (tmp_path / "edited.py").write_text(text.replace("work.pending = move", "work.pending = move + 1"))
    program = (
        "import importlib.util, sys\n"
        "spec = importlib.util.spec_from_file_location('zermelo.searches.recording', 'edited.py')\n"
        "module = importlib.util.module_from_spec(spec); sys.modules[spec.name] = module\n"
        "spec.loader.exec_module(module)\n"
    )
    same = program.replace("edited.py", recording.__file__)
    assert run(tmp_path, same + TRACED) == run(tmp_path, TRACED)
    assert run(tmp_path, program + TRACED) != run(tmp_path, TRACED)


def test_the_version_of_the_package_is_part_of_the_digest(monkeypatch):
    import zermelo
    from zermelo.core import digest

    before = digest._core_digest()
    monkeypatch.setattr(zermelo, "__version__", "0.0.0")
    assert digest._core_digest() != before


def test_a_flipped_bit_is_compiled_again_and_replaced(tmp_path):
    (tmp_path / "h_mine.py").write_text(HEAD + "@heuristic\ndef h(s: Connect4): return 11\n")
    assert run(tmp_path, VALUES, "mine") == ["11 True"]
    for part in (0.001, 0.3, 0.6, 0.99):
        for file in (tmp_path / "cache").glob("*.nbc"):
            data = bytearray(file.read_bytes())
            data[int(len(data) * part)] ^= 1
            file.write_bytes(data)
        assert run(tmp_path, VALUES, "mine") == ["11 True"]
    assert run(tmp_path, VALUES, "mine") == ["11 False"]


def test_code_that_the_compiler_refuses_to_load_is_compiled_again(tmp_path, monkeypatch):
    """The checksum is right, but LLVM cannot read the contents."""
    from zermelo.core import cache

    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "mine.py").write_text(HEAD + "@njit\ndef f(): return 3\n")
    module = loaded(tmp_path / "mine.py")
    assert module.f() == 3
    [file] = tmp_path.glob("cache/mine*.nbc")
    cache.write(file, file.read_bytes().partition(b"\n")[0].decode(), ("nonsense",))
    spoilt = file.read_bytes()
    (tmp_path / "mine.py").touch()
    again = importlib.import_module("zermelo.core").njit(module.f.py_func)
    assert again() == 3
    assert file.read_bytes() != spoilt
