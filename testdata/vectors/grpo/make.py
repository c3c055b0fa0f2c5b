"""Makes the vectors of this folder: python3 make.py

They are computed from the papers' formulas with exact fractions or the statistics
module, apart from the Go code, so that one can be checked by the other.
"""

import json
import math
import pathlib
import random
import re
import statistics
from fractions import Fraction

HERE = pathlib.Path(__file__).parent
rng = random.Random(20250611)


def write(name, rows):
    (HERE / name).write_text("[\n" + ",\n".join(json.dumps(r, ensure_ascii=False) for r in rows) + "\n]\n")


def sqrt(fraction):
    """Square root of an exact fraction, rounded once."""
    scale = 10**40
    return Fraction(math.isqrt(int(fraction * scale * scale)), scale)


def centred(rewards):
    known = [Fraction(str(r)) for r in rewards if r is not None]
    m = sum(known) / len(known) if known else 0
    return [None if r is None else Fraction(str(r)) - m for r in rewards]


def standardised(differences):
    known = [d for d in differences if d is not None]
    sd = sqrt(sum(d * d for d in known) / len(known)) if known else 0
    return [Fraction(0) if d is None or sd == 0 else d / sd for d in differences]


def group_rule(rewards):
    return [float(a) for a in standardised(centred(rewards))]


def batch_rule(groups, bound):
    flat = standardised([d for g in groups for d in centred(g)])
    if bound:
        flat = [max(Fraction(-bound), min(Fraction(bound), a)) for a in flat]
    out = iter(float(a) for a in flat)
    return [[next(out) for _ in g] for g in groups]


def advantages():
    named = {
        "two": [[0, 1]],
        "eight, as AesCoder rewards": [[-1, -0.512, 0.596, -0.64, 0.62, 0.1, 0.1, -1]],
        "all equal": [[0.1, 0.1, 0.1, 0.1]],
        "one unjudged": [[0.5, None, 1.5, 4.0]],
        "one judged": [[None, 3.2, None]],
        "none judged": [[None, None]],
        "empty group": [[]],
        "no group": [],
        "two groups of unlike spread": [[0, 1], [0.4, 0.5]],
        "an outlier that is clipped": [[0, 0, 0, 0, 0, 0, 0, 5], [1, 1, 1, 1.1]],
        "a flat group beside another": [[2, 2, 2], [1, 3, None]],
        "one alone beside another": [[4.1], [0.2, 0.9, 0.3]],
    }
    for n in range(12):
        named[f"drawn {n}"] = [
            [None if rng.random() < 0.1 else round(rng.uniform(-1, 5.2), 3) for _ in range(8)] for _ in range(rng.randint(1, 6))
        ]
    return [
        {"name": name, "rewards": g, "group": [group_rule(r) for r in g], "bound": 2, "batch": batch_rule(g, 2), "unclipped": batch_rule(g, 0)}
        for name, g in named.items()
    ]


def objective(mean, eps, beta, count_critic, group):
    per_output, lengths = [], []
    for t in group:
        terms = []
        for new, old, ref, critic in zip(t["policy"], t["old"], t["ref"], t["critic"]):
            if critic:
                terms.append(None)
                continue
            r = math.exp(new) / math.exp(old)
            a = t["advantage"]
            clipped = 1 - eps if r < 1 - eps else 1 + eps if r > 1 + eps else r
            q = math.exp(ref) / math.exp(new)
            terms.append((r * a if r * a < clipped * a else clipped * a, q - math.log(q) - 1))
        counted = [x for x in terms if x is not None]
        lengths.append(len(terms) if count_critic else len(counted))
        per_output.append((math.fsum(x[0] for x in counted), math.fsum(x[1] for x in counted)))
    if mean == "per-sample":
        pairs = [(s / n, k / n) if n else (0, 0) for (s, k), n in zip(per_output, lengths)]
        by = len(group)
    else:
        pairs, by = per_output, sum(lengths)
    surrogate, kl = (math.fsum(p[i] for p in pairs) / by if by else 0 for i in (0, 1))
    return {"surrogate": surrogate, "kl": kl, "total": surrogate - beta * kl}


def drawn(tokens, advantage):
    old = [round(rng.uniform(-4, -0.01), 4) for _ in range(tokens)]
    near = lambda v, by: [round(min(-1e-4, x + rng.gauss(0, by)), 4) for x in v]
    return {"advantage": advantage, "policy": near(old, 0.3), "old": old, "ref": near(old, 0.2), "critic": [rng.random() < 0.3 for _ in range(tokens)]}


def objectives():
    half, one, double = math.log(0.25), math.log(0.5), math.log(0.9)
    by_hand = {"advantage": 1.0, "policy": [one, one], "old": [half, one], "ref": [one, half], "critic": [False, False]}
    groups = {
        "ratios 2 and 1": [by_hand],
        "the same, and bad": [by_hand | {"advantage": -1.0}],
        "unlike lengths": [drawn(3, 1.2), drawn(40, -0.7)],
        "all the critic's": [by_hand | {"critic": [True, True]}, drawn(5, 1.0)],
        "empty output": [{"advantage": 1.0, "policy": [], "old": [], "ref": [], "critic": []}, drawn(4, -1.0)],
        "advantage 0": [drawn(7, 0.0), drawn(9, 0.4)],
        "unchanged policy": [{"advantage": 0.8, "policy": [one, double], "old": [one, double], "ref": [one, double], "critic": [False, False]}],
        "no output": [],
    }
    for n in range(6):
        groups[f"drawn {n}"] = [drawn(rng.randint(1, 30), rng.uniform(-2, 2)) for _ in range(8)]
    rows = []
    for name, group in groups.items():
        for mean in ("per-sample", "token"):
            for eps, beta, count in ((0.2, 0.01, False), (0.5, 0.001, True)):
                rows.append({"name": name, "mean": mean, "epsilon": eps, "beta": beta, "count_critic": count, "group": group, "want": objective(mean, eps, beta, count, group)})
    return rows


def distillations():
    rows = []
    for name, tokens, vocabulary in (("one token of two", 1, 2), ("three of four", 3, 4), ("none", 0, 3), ("ten of twenty", 10, 20)):
        teacher, student = [], []
        for _ in range(tokens):
            weights = [rng.choice((0, rng.random())) for _ in range(vocabulary - 1)] + [rng.random()]
            teacher.append([w / sum(weights) for w in weights])
            scores = [rng.gauss(0, 1) for _ in range(vocabulary)]
            total = math.log(math.fsum(math.exp(s) for s in scores))
            student.append([s - total for s in scores])
        pairs = [[(q, p) for q, p in zip(t, s) if q > 0] for t, s in zip(teacher, student)]
        cross = math.fsum(-q * p for row in pairs for q, p in row) / max(1, tokens)
        entropy = math.fsum(-q * math.log(q) for row in pairs for q, _ in row) / max(1, tokens)
        rows.append({"name": name, "teacher": teacher, "student": student, "cross_entropy": cross, "kl": cross - entropy, "loss_at_j_0.3": -0.3 + 0.1 * cross})
    return rows


MASK = (1 << 64) - 1


def fingerprint(text):
    words = re.findall(r"[^\W_]+|[^\w\s]|_", text.lower())
    shingles = [words[i : i + 3] for i in range(len(words) - 2)] if len(words) > 2 else [words]
    votes = [0] * 64
    for run in shingles:
        h = 0xCBF29CE484222325
        for byte in b"".join(w.encode() + b"\0" for w in run):
            h = (h ^ byte) * 0x100000001B3 & MASK
        h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
        h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        h ^= h >> 33
        for b in range(64):
            votes[b] += 1 if h >> b & 1 else -1
    return sum(1 << b for b in range(64) if votes[b] > 0)


def fingerprints():
    texts = ["", " \n", "a", "One two", "one  TWO three", "<h1>Pricing</h1><p>From 9 € a month.</p>", "表单 and `code` — done", "a_b"]
    return [{"text": t, "print": f"{fingerprint(t):016x}"} for t in texts]


def groups():
    rows = []
    for rewards in ([0.2, 0.4, None, 0.9], [1, 1, 1], [None], [], [3.2], [0.1, 0.1, 0.1, 0.7]):
        known = [Fraction(str(r)) for r in rewards if r is not None]
        rows.append({
            "rewards": rewards,
            "mean": float(statistics.mean(known)) if known else None,
            "sd": float(sqrt(statistics.pvariance(known))) if known else None,
            "flat": len(known) > 1 and len(set(known)) == 1,
        })
    return rows


write("advantages.json", advantages())
write("objectives.json", objectives())
write("distillation.json", distillations())
write("fingerprints.json", fingerprints())
write("groups.json", groups())
