#!/bin/sh
# Learn the table of Reversi (src/zermelo/games/reversi/weights/learned.npz) again: the commands that weights/README.md
# explains, with their seeds.
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

# dataset SEED EXAMPLES HEURISTIC DEPTH LAMBDA [MORE OPTIONS]: games that a search plays with this heuristic, after random
# moves and moves of weak players.
dataset() {
    seed=$1 examples=$2 heuristic=$3 depth=$4 lambda=$5
    shift 5
    [ -e "round$seed.npz" ] || $zermelo learn dataset reversi --sampler played --plies 36 60 --noise 0.02 \
        --openers report,mobility,corners,report_tuned --heuristic "$heuristic" --depth "$depth" --reduce \
        --lambda "$lambda" --examples "$examples" --seed "$seed" --out "round$seed.npz" "$@"
}

# table NUMBER SEED RIDGE ROUNDS [SEEDS]: a table that is fitted to the dataset of this seed, and to those of the others.
table() {
    number=$1 seed=$2 ridge=$3 rounds=$4
    shift 4
    extra=""
    for other in "$@"; do
        extra="$extra --extra round$other.npz"
    done
    # shellcheck disable=SC2086  # the options are several words
    [ -e "models$number/table.npz" ] || $zermelo learn fit "round$seed.npz" $extra --model table \
        --rounds "$rounds" --ridge "$ridge" --keep "models$number"
    [ -e "table$number.npz" ] || $zermelo learn export "models$number/table.npz" --bits 16 --out "table$number.npz"
}

# The report's heuristic plays the first games. Its points are not discs, so it scores nothing (lambda 1).
dataset 1 500000 report_tuned 3 1 --noise 0
table 1 1 10 20
# Each table plays the games from which the next one is learned.
dataset 2 800000 table1.npz 4 0.9
table 2 2 20 20
dataset 3 480000 table2.npz 4 0.9
dataset 4 480000 table2.npz 4 0.9
dataset 5 140000 table2.npz 4 0.9
table 3 5 20 20 4 3 2
# From here on the games end with 8 empty squares, because the solver plays the rest.
for seed in 6 7 8 9 10 11 12 13; do
    dataset $seed 72000 table3.npz 5 0.8 --plies 36 52
done
for seed in 14 15 16; do
    dataset $seed 120000 table3.npz 5 0.8 --plies 36 52
done
table 4 16 20 20 15 14 13 12 11 10 9 8 7 6 5 4 3 2
for seed in 17 18 19; do
    dataset $seed 870000 table4.npz 5 0.8 --plies 36 52
done
table 5 19 12 25 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3

cp table5.npz learned.npz
echo "learned.npz is made. Once it is in the game's folder, zermelo learn probcut reversi fits ProbCut to it."
