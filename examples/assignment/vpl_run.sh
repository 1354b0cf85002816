#!/bin/bash
# Moodle's VPL, the button Run: is the search right? This uses no hidden cases and gives no marks.
cat > vpl_execution <<'END'
#!/bin/bash
${ZERMELO:-zermelo} check search.py
END
chmod +x vpl_execution
