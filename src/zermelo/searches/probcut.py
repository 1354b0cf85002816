"""ProbCut's numbers, as the engine reads them: which shallower searches may replace a deep one, and when.

The statistics come from `zermelo learn probcut`. Beyond the depths measured, the deepest one that is odd or even with a
depth gives its numbers, with as many plies between the two searches; the difference between a search and one a few
plies deeper does not grow with their depths. A stage without numbers uses those of the nearest stage that has some.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.evaluation.probcut_files import Check
from zermelo.rules import POINT
from zermelo.searches.engine import CUT_CHECKS, CUT_DEPTHS, CUT_NUMBERS, CUT_STAGES


def cut_numbers(checks: Sequence[Check], deviations: float) -> np.ndarray[Any, Any]:
    """Return what goes into work.cuts; a cut needs a score this many standard deviations outside the window."""
    numbers = np.zeros((CUT_STAGES, CUT_DEPTHS, CUT_CHECKS, CUT_NUMBERS))
    known = sorted({check.stage for check in checks})
    for stage in range(CUT_STAGES if known else 0):
        nearest = min(known, key=lambda other: abs(other - stage))
        by_depth: dict[int, list[Check]] = {}
        for check in checks:
            if check.stage == nearest:
                by_depth.setdefault(check.depth, []).append(check)
        for depth in range(min(by_depth), CUT_DEPTHS):
            alike = [other for other in by_depth if other <= depth and (depth - other) % 2 == 0]
            if not alike:
                continue
            chosen = sorted(by_depth[max(alike)], key=lambda check: check.shallow)[-CUT_CHECKS:]
            for place, check in enumerate(chosen):
                shallow = check.shallow + depth - check.depth
                margin = deviations * check.deviation * POINT
                numbers[stage, depth, place] = shallow, check.slope, check.offset * POINT, margin
    return numbers.ravel()
