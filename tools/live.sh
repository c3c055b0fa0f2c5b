#!/bin/bash
# live.sh [FOLDER]: asks a small language model on this machine (SmolLM2-135M behind llama.cpp's
# server, both out of Python packages, 0.1 GB) to judge, compare, write and exercise, and
# says how each ended. Nobody needs its figures: it is weak, so it shows whether whatever
# a model answers has an end with a reason. It takes half an hour and more, and is no part
# of make test. LIVE_TOKENS: at most so many tokens an answer (default 300).
set -u
cd "$(dirname "$0")/.." || exit 1
out=$(mkdir -p "${1:-.vitrine/live}" && cd "${1:-.vitrine/live}" && pwd) || exit 1
. tools/small-model.sh
export VITRINE_MODELS=$out/models.yaml
page='<!DOCTYPE html><html lang=en><title>Bread</title><h1>%s</h1><button onclick=\\"this.textContent=1\\">Order</button></html>'
printf '{"id": "%s", "task_id": "page", "output": "'"$page"'"}\n' a Rye b Wheat > "$out/outputs.jsonl"
printf '%s\n' '{"intention": {"description": "Serves what was asked for", "children": [{"description": "The page is about what the request names", "children": null}]},
 "static": {"description": "What can be seen", "children": [{"description": "There is a heading", "children": null}]},
 "dynamic": {"description": "What can be done", "children": [
  {"description": "Basic interactions", "children": [{"description": "A control reacts to a click", "children": null}]},
  {"description": "Complex interactions", "children": [{"description": "What is typed is checked", "children": null}]}]}}' > "$out/rubric.json"
case='{"task": "Click the first button", "expected_result": "The page changes"}'
printf '%s\n' "$case" > "$out/cases.jsonl"
printf '%s\n' "{\"id\": \"page\", \"instruction\": \"A page of a bakery\", \"test_cases\": [$case]}" > "$out/tasks.jsonl"
rm -rf "$out"/{run,refine,agent,verify}*
bin/vitrine score "$out/outputs.jsonl" --tasks "$out/tasks.jsonl" --recipe looks --no-report --progress none --out "$out/run" > /dev/null 2> "$out/score.err" || { cat "$out/score.err" >&2; exit 1; }
a=$out/run/evidence/a b=$out/run/evidence/b page=$out/run/evidence/a/output.txt

# try NAME COMMAND…: an exit code of 124 is a command without an end, one above it or a panic a
# crash, 1 a fault of ours, 2 a wrong call of this script.
bad=0
try() {
  local name=$1 began=$SECONDS; shift
  timeout 1200 bin/vitrine "$@" -m small --tape off --json > "$out/$name.json" 2> "$out/$name.err"
  local code=$?
  printf '%-28s exit code %-3d %4d s  %s\n' "$name" $code $((SECONDS - began)) "$(grep -m 1 -E '^(unjudged|error|not judged)' "$out/$name.err")"
  [ $code -ge 3 ] && [ $code -lt 124 ] || [ $code = 0 ] || bad=1
}
cases=(--cases "$out/cases.jsonl") prices="A small page with prices of bread"
try feasibility judge "$a" --judge feasibility --tasks "$out/tasks.jsonl"
try verify interact verify "$page" "${cases[@]}" --out "$out/verify"
for profile in published vitrine; do
  as=(--profile $profile)
  try "agent-$profile" interact agent "$page" "${as[@]}" --out "$out/agent-$profile"
  try "agent-cases-$profile" interact agent "$page" "${cases[@]}" "${as[@]}" --out "$out/agent-cases-$profile"
  try "agent-rubric-$profile" interact agent "$page" --rubric "$out/rubric.json" "${as[@]}" --out "$out/agent-rubric-$profile"
  try "refine-$profile" refine "$prices" "${as[@]}" --ask always --accept any --rounds 2 --max-tokens 600 --out "$out/refine-$profile"
  for protocol in direct likert rubric; do
    try "judge-$protocol-$profile" judge "$a" --judge $protocol "${as[@]}" --observe code --rubric "$out/rubric.json"
    try "compare-$protocol-$profile" compare "$a" "$b" --judge $protocol "${as[@]}" --observe code --position both --rubric "$out/rubric.json"
  done
  try "judge-code-$profile" judge "$a" --judge code "${as[@]}"
  try "judge-pictures-$profile" judge "$a" --judge static,visual "${as[@]}"
done
try refine-critic refine "$prices" -J small --ask always --rounds 2 --resamples 1 --max-tokens 600 --out "$out/refine-critic"
try filters judge "$a" --judge filter-safety,filter-interaction,filter-intention,paraphrase
try alone compare "$a" "$b" --judge likert --observe code --position alone
try rubric rubric --instruction "A page for a bakery, with a form for orders"
exit $bad
