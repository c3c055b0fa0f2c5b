#!/bin/bash
# live-data.sh TASKS.jsonl BENCHMARK.jsonl [FOLDER]: runs every pipeline that ships with --limit 20
# (LIVE_LIMIT) on instructions of yours, asking a small language model on this machine
# (tools/small-model.sh), and says how each ended and how many rows it left. The model is weak: this
# shows that whatever a real model answers to real instructions has an end with a reason, not that
# the rows are good. It takes an hour and more, goes on where it was stopped, and is no part of
# make test. TASKS are rows with instruction and application_type.
set -u
tasks=$(realpath "$1") bench=$(realpath "$2")
cd "$(dirname "$0")/.." || exit 1
out=$(mkdir -p "${3:-.vitrine/live-data}" && cd "${3:-.vitrine/live-data}" && pwd) || exit 1
ended=yes # of pages that are cut at LIVE_TOKENS nothing would be left
. tools/small-model.sh
export VITRINE_MODELS=$out/models.yaml

# try PIPELINE FLAG…: exit codes 3 to 5 are ends with a reason; 2 is a wrong call of this script, or
# an input without a row, which may be what the model left of the pipeline before.
bad=0
try() {
  local name=$1 began=$SECONDS; shift
  bin/vitrine data run "$name" "$@" --limit "${LIVE_LIMIT:-20}" --patience 30m --tape-dir "$out/answers" --out "$out/$name" > "$out/$name.txt" 2> "$out/$name.err"
  local code=$?
  printf '%-20s exit code %-3d %5d s  %s\n' "$name" $code $((SECONDS - began)) "$(grep -h -E ' rows$|^error:' "$out/$name.txt" "$out/$name.err" | tr -s ' \n' ' ')"
  [ $code -le 5 ] && [ $code != 1 ] || bad=1
}
asked=(-m small -j 1 --in "$tasks")
try relook-clean --in "$tasks" --with "benchmarks=$bench"
try rl-rewrite "${asked[@]}"
try webgen-sft "${asked[@]}"
try webgen-rm "${asked[@]}"
try webgen-sft-filtered "${asked[@]}"
try aescode-plots "${asked[@]}"
try aescode-web -m small -j 1
# What the model wrote: two pages to each task with their rewards, two projects side by side, a critique.
pages=$(echo "$out"/aescode-web/steps/generate-*/kept.jsonl) rewards=$(echo "$out"/aescode-web/runs/score-*/samples.jsonl)
try preference --in "$pages" --with "rewards=$rewards"
try best-of-n --in "$pages" --with "rewards=$rewards"
sed 's/"chosen":/"code_a":/; s/"rejected":/"code_b":/' "$out/webgen-rm/kept.jsonl" > "$out/pairs.jsonl"
try arena-pairs -m small -j 1 --in "$out/pairs.jsonl"
[ -e "$out/refine/distillation.jsonl" ] || bin/vitrine refine "A small page with prices of bread" -m small -J small --ask always --accept any --rounds 2 --max-tokens 600 --out "$out/refine" > /dev/null 2> "$out/refine.err"
try self-distil --in "$out/refine/distillation.jsonl"
try unit-tasks "${asked[@]}"
exit $bad
