"""Compares what `perf cluster --out DIR` wrote with WordLlama's tokenizer and table, and with the k-means of scikit-learn and faiss.

    python perf/peers/cluster.py DIR TABLE      TABLE: the folder that `vitrine data embedder --json` names

Needs numpy, safetensors, scikit-learn, faiss-cpu and tokenizers. Times are of the processors, of all threads.
"""

import json
import sys
import time
from pathlib import Path

import faiss
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
    for name, cluster in (
        ("faiss", lambda: similar(vectors, ours["keep"])),
        ("scikit-learn k-means++", lambda: learn(vectors, ours["keep"], "k-means++")),
        ("scikit-learn random", lambda: learn(vectors, ours["keep"], "random")),
    ):
        began, used = time.monotonic(), time.process_time()
        inertia, rounds = cluster()
        used, took = time.process_time() - used, time.monotonic() - began
        print(
            f"{name}: inertia {inertia:.4f}, {rounds} rounds, {used:.1f} s of processor time, {took:.1f} s; "
            f"ours {ours['inertia']:.4f}, {ours['seconds']:.1f} s of processor time: "
            f"inertia {ours['inertia'] / inertia:.4f}, time {used / ours['seconds']:.1f}",
            flush=True,
        )


def learn(vectors: np.ndarray, keep: int, init: str) -> tuple[float, int]:
    found = KMeans(keep, init=init, n_init=1, max_iter=30, tol=0, algorithm="lloyd", random_state=1).fit(vectors)
    return float(found.inertia_), found.n_iter_


def similar(vectors: np.ndarray, keep: int) -> tuple[float, int]:
    found = faiss.Kmeans(vectors.shape[1], keep, niter=30, seed=1, min_points_per_centroid=1)
    found.train(vectors)
    distances, _ = found.index.search(vectors, 1)
    return float(distances.sum()), 30


main(Path(sys.argv[1]), Path(sys.argv[2]))
