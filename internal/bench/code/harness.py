"""Runs the tests of an answer and says in one line, after a word, whether all pass.

The job comes by file descriptor 3. An answer runs in processes of its own, which see
neither the word nor what is expected of a case. Time is that of the processor, so that
a busy machine fails nobody.
"""

import decimal
import json
import os
import resource
import subprocess
import sys

with os.fdopen(3, encoding="utf-8") as f:
    job = json.load(f)
os.chdir("/tmp")


def bounded():
    resource.setrlimit(resource.RLIMIT_CPU, (job["cpu"], job["cpu"] + 1))


def run(args, data):
    """What a process prints, or None where it fails; and why."""
    try:
        p = subprocess.run([sys.executable, "-I"] + args, input=data, capture_output=True, timeout=job["wall"], preexec_fn=bounded, encoding="utf-8", errors="replace")
    except subprocess.TimeoutExpired:
        return None, "it does not end within %d seconds" % job["wall"]
    if p.returncode:
        lines = p.stderr.strip().split("\n")
        return None, "exit code %d: %s" % (p.returncode, lines[-1][:300])
    return p.stdout, ""


def tested(token, tests):
    """The answer, then the tests with its names, then the token."""
    source = "import os\nnames = {'__name__': 'answer'}\n"
    source += "exec(compile(%r, 'answer.py', 'exec'), names)\n" % job["code"]
    source += "exec(compile(%r, 'tests.py', 'exec'), names)\n" % tests
    return run(["-"], source + "os.write(1, %r.encode())\n" % token)


def alike(got, want):
    a, b = got.strip().split("\n"), want.strip().split("\n")
    if len(a) != len(b):
        return False
    for x, y in zip(a, b):
        if x.strip() == y.strip():
            continue
        try:
            if [decimal.Decimal(v) for v in x.split()] != [decimal.Decimal(v) for v in y.split()]:
                return False
        except decimal.InvalidOperation:
            return False
    return True


def passes(case, token):
    if not job["call"]:
        with open("/tmp/answer.py", "w", encoding="utf-8") as f:
            f.write(job["code"])
        out, why = run(["/tmp/answer.py"], case["input"])
        return (why == "" and alike(out, case["output"])), why or "another output"
    call = "import json as _json\n_f = getattr(Solution(), %r) if 'Solution' in globals() else globals()[%r]\n" % (job["call"], job["call"])
    call += "print(%r + _json.dumps(_f(*[_json.loads(a) for a in %r.split('\\n')])))\n" % (token, case["input"])
    out, why = tested("", call)
    if why:
        return False, why
    found = out.rsplit(token, 1)
    try:
        return len(found) == 2 and json.loads(found[1]) == json.loads(case["output"]), "another result"
    except ValueError:
        return False, "a result that is no JSON"


def main():
    if job["tests"]:
        token = os.urandom(16).hex()
        out, why = tested(token, job["tests"])
        return (True, "") if out is not None and out.endswith(token) else (False, why or "it ended before its tests did")
    for i, case in enumerate(job["cases"]):
        ok, why = passes(case, os.urandom(16).hex())
        if not ok:
            return False, "case %d: %s" % (i + 1, why)
    return True, ""


ok, why = main()
print("\n" + job["word"] + " " + json.dumps({"pass": ok, "why": why}))
