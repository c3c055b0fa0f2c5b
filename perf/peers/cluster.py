"""Compares what `perf cluster --out DIR` wrote with WordLlama's tokenizer and table and with scikit-learn's k-means.

    python perf/peers/cluster.py DIR TABLE      TABLE: the folder that `vitrine data embedder --json` names

Needs numpy, safetensors, scikit-learn and tokenizers.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from sklearn.cluster import KMeans
from tokenizers import Tokenizer


def main(out: Path, table: Path) -> None:
    rows, ours = json.loads((out / "rows.json").read_text()), json.loads((out / "result.json").read_text())
    vectors = np.fromfile(out / "vectors.f32", "<f4").reshape(ours["rows"], ours["dim"])
    tokenizer = Tokenizer.from_file(str(table / "tokenizer.json"))
    (weights,) = load_file(table / "table.safetensors").values()
    weights, other, apart = weights.astype(np.float32), 0, 0.0
    for row, vector in zip(rows, vectors):
        ids = tokenizer.encode(row["text"], add_special_tokens=False).ids
        other += ids != row["tokens"]
        mean = weights[ids].mean(axis=0)
        apart = max(apart, float(np.abs(mean / np.linalg.norm(mean) - vector).max()))
    print(f"rows {len(rows)}, with other tokens {other}, vectors apart by {apart:.1e} at most")
    for init in "k-means++", "random":
        began = time.monotonic()
        theirs = KMeans(ours["keep"], init=init, n_init=1, max_iter=30, tol=0, algorithm="lloyd", random_state=1).fit(vectors)
        took = time.monotonic() - began
        ratio = ours["inertia"] / theirs.inertia_
        print(f"scikit-learn {init}: inertia {theirs.inertia_:.4f}, {theirs.n_iter_} rounds, {took:.2f} s; ours {ours['inertia']:.4f}, {ours['seconds']:.2f} s: ratio {ratio:.4f}")


main(Path(sys.argv[1]), Path(sys.argv[2]))
