"""An engine that knows no rules: any legal move. The shortest that docs/protocol.md allows, in plain Python."""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], "move": random.choice(question["legal"])}), flush=True)
