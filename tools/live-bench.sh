#!/bin/bash
# live-bench.sh [FOLDER]: has a small language model on this machine (tools/small-model.sh) answer
# the first 10 tasks (LIVE_LIMIT) of each benchmark whose data is here (vitrine bench ls), measures
# the answers and shows the tables. The model is weak: this shows that every step from the data to
# the table works on what a real model says, not what the benchmark is worth. It takes an hour and
# more, goes on where it was stopped, and is no part of make test. LIVE_BENCH: names of benchmarks,
# in place of all that are here.
set -u
cd "$(dirname "$0")/.." || exit 1
out=$(mkdir -p "${1:-.vitrine/live-bench}" && cd "${1:-.vitrine/live-bench}" && pwd) || exit 1
. tools/small-model.sh
export VITRINE_MODELS=$out/models.yaml
bad=0
for name in ${LIVE_BENCH:-$(bin/vitrine bench ls --json | python3 -c 'import json, sys; print(*(b["name"] for b in json.load(sys.stdin)["benchmarks"] if b["here"]))')}; do
  began=$SECONDS
  bin/vitrine bench run "$name" -m small --limit "${LIVE_LIMIT:-10}" -j 1 --seed 1 --temperature 0.7 --patience 30m --progress none --out "$out/$name" > "$out/$name.md" 2> "$out/$name.err"
  code=$?
  printf '%-20s exit code %-3d %5d s  %s\n' "$name" $code $((SECONDS - began)) "$(grep -m 1 '^error' "$out/$name.err")"
  [ $code = 0 ] || bad=1
  grep -v '^$' "$out/$name.md" | head -4
done
exit $bad
