"""An engine that knows no rules: any legal move. The shortest that docs/how-to/connect-an-engine.md allows."""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], "move": random.choice(question["legal"])}), flush=True)
