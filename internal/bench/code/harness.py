"""Runs the tests of an answer and says in one line, after a word, whether all pass.

The job comes by file descriptor 3. An answer runs in processes of its own, which see
neither the word nor what is expected of a case, and cannot read the memory of this one.
Tests that assert run in the answer's process: an answer that looks for it finds the token
that marks their end. Time is that of the processor, so that a busy machine fails nobody.
"""

import ctypes
import decimal
import glob
import json
import os
import resource
import subprocess
import sys

PR_SET_DUMPABLE = 4
if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0):
    sys.exit("the memory of the harness cannot be closed to answers")

with os.fdopen(3, encoding="utf-8") as f:
    job = json.load(f)
os.chdir("/tmp")

# The names that LiveCodeBench gives to answers: those of these modules, and the modules.
MODULES = "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json builtins typing".split()
PRELUDE = "".join("from %s import *\n" % m for m in MODULES) + "import %s\nsys.setrecursionlimit(50000)\n" % ", ".join(MODULES)


class Starved(Exception):
    """The machine was too busy to test."""


def bounded():
    resource.setrlimit(resource.RLIMIT_CPU, (job["cpu"], job["cpu"] + 1))


def starved(pid):
    """Whether a process waited for a processor most of its time, and all of the answer had less than one process may."""
    had = 0
    for name in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(name) as f:
                fields = f.read().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended
        had += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    try:
        with open("/proc/%d/schedstat" % pid) as f:
            waited = int(f.read().split()[1]) / 1e9
    except OSError:
        return False  # this kernel does not count it
    return had < job["cpu"] and waited > job["wall"] / 2


def run(args, data):
    """What a process prints, or None where it fails; and why."""
    p = subprocess.Popen([sys.executable, "-I"] + args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=bounded, encoding="utf-8", errors="replace")
    try:
        out, err = p.communicate(data, timeout=job["wall"])
    except subprocess.TimeoutExpired:
        if starved(p.pid):
            raise Starved
        p.kill()
        p.wait()
        return None, "it does not end within %d seconds" % job["wall"]
    if p.returncode:
        lines = err.strip().split("\n")
        return None, "exit code %d: %s" % (p.returncode, lines[-1][:300])
    return out, ""


def tested(token, tests, prelude=""):
    """The answer after a prelude, then the tests with its names, then the token."""
    source = "import os\nnames = {'__name__': 'answer'}\nexec(%r, names)\n" % prelude
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
        main = "names = {'__name__': '__main__'}\nexec(%r, names)\n" % PRELUDE
        main += "exec(compile(open('/tmp/answer.py', encoding='utf-8').read(), 'answer.py', 'exec'), names)\n"
        out, why = run(["-c", main], case["input"])
        return (why == "" and alike(out, case["output"])), why or "another output"
    call = "import json as _json\n_f = getattr(Solution(), %r) if 'Solution' in globals() else globals()[%r]\n" % (job["call"], job["call"])
    call += "print(%r + _json.dumps(_f(*[_json.loads(a) for a in %r.split('\\n')])))\n" % (token, case["input"])
    out, why = tested("", call, PRELUDE + "globals().pop(%r, None)\n" % job["call"])  # that is the answer's to define
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
        return (True, "") if out is not None and token in out else (False, why or "it ended before its tests did")  # what the answer prints may be written after it
    for i, case in enumerate(job["cases"]):
        ok, why = passes(case, os.urandom(16).hex())
        if not ok:
            return False, "case %d: %s" % (i + 1, why)
    return True, ""


busy = False
try:
    ok, why = main()
except Starved:
    ok, why, busy = False, "", True
print("\n" + job["word"] + " " + json.dumps({"pass": ok, "why": why, "starved": busy}))
