"""An engine that does not know the rules: it plays any of the legal moves. See docs/how-to/connect-an-engine.md."""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], "move": random.choice(question["legal"])}), flush=True)
