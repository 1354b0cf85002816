#!/bin/sh
# Learn the table of Reversi (src/zermelo/games/reversi/weights/learned.npz) and its ProbCut statistics again: the commands
# that weights/README.md explains, with their seeds.
#
#     tools/learn_reversi.sh FOLDER          (make learn-reversi writes to build/reversi)
#
# Everything is written to FOLDER. A step whose file exists is left out, and an unfinished dataset is continued, so the script
# can be stopped at any time and run again.
set -eu

folder=${1:?usage: tools/learn_reversi.sh FOLDER}
zermelo=${ZERMELO:-zermelo}
mkdir -p "$folder"
cd "$folder"

# dataset ROUND EXAMPLES HEURISTIC DEPTH LAMBDA [MORE OPTIONS]: games that a search plays with this heuristic.
dataset() {
    round=$1 examples=$2 heuristic=$3 depth=$4 lambda=$5
    shift 5
    [ -e "round$round.npz" ] || $zermelo learn dataset reversi --sampler played --plies 24 60 --noise 0.08 \
        --heuristic "$heuristic" --depth "$depth" --lambda "$lambda" --examples "$examples" --seed "$round" \
        --out "round$round.npz" "$@"
}

# table ROUND STEPS RIDGE [MORE OPTIONS]: a table that is fitted to the dataset of this round, and to those of --extra.
table() {
    round=$1 steps=$2 ridge=$3
    shift 3
    [ -e "models$round/table.npz" ] || $zermelo learn fit "round$round.npz" --model table --rounds "$steps" \
        --ridge "$ridge" --keep "models$round" "$@"
    [ -e "table$round.npz" ] || $zermelo learn export "models$round/table.npz" --bits 16 --out "table$round.npz"
}

# The report's heuristic plays the first games. Its points are not discs, so it scores nothing (lambda 1).
dataset 1 300000 report_tuned 3 1 --plies 36 60 --noise 0
table 1 20 10
# Each table plays the games from which the next one is learned.
dataset 2 330000 table1.npz 4 0.7
table 2 15 80
dataset 3 620000 table2.npz 4 0.8
table 3 15 60 --extra round2.npz
dataset 4 740000 table3.npz 4 0.8
table 4 18 40 --extra round3.npz
dataset 5 265000 table4.npz 4 0.8
table 5 14 40 --extra round4.npz --extra round3.npz
dataset 6 560000 table5.npz 4 0.85 --noise 0.06
table 6 18 40 --extra round5.npz --extra round4.npz --extra round3.npz

cp table6.npz learned.npz
echo "learned.npz is made. Once it is in the game's folder, zermelo learn probcut reversi fits ProbCut to it."
