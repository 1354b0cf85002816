#!/bin/bash
# Moodle's VPL, the button Evaluate: VPL reads the grade and the comments from what vpl_execution prints.
# Add rubric.toml to the execution files, and mark it there as a file to keep, together with this one.
[ -f vpl_environment.sh ] && . ./vpl_environment.sh
cat > vpl_execution <<END
#!/bin/bash
export VPL_GRADEMAX="${VPL_GRADEMAX:-100}"
END
cat >> vpl_execution <<'END'
${ZERMELO:-zermelo} check search.py --marks rubric.toml --json > marks.json || exit 1
${PYTHON:-python3} - <<'PROGRAM'
import json
import os

[marks] = json.load(open("marks.json"))
for group in marks["groups"]:
    print(f"Comment :=>>- {group['title']}: {group['points']:g}/{group['of']:g}")
    for item in group["items"]:
        print(f"Comment :=>> {item['points']:g}/{item['of']:g} {item['title']}")
        print("<|--\n" + "\n".join(f">{line}" for line in item["feedback"]) + "\n--|>")
print(f"Grade :=>> {float(os.environ['VPL_GRADEMAX']) * marks['points'] / marks['of']:.2f}")
PROGRAM
END
chmod +x vpl_execution
