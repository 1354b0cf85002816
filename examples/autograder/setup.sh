#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of the autograder.
set -euo pipefail
apt-get install -y --no-install-recommends bubblewrap python3-pip
python3 -m pip install zermelo
