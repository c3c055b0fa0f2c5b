"""Compares what `perf near --out FILE` wrote with all pairs, as scikit-learn's vectors have them, and with datasketch.

    python perf/peers/near.py FILE [CHUNK]      CHUNK: rows that are multiplied at a time

Needs datasketch, scikit-learn and SciPy. Seconds are of the processor.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from datasketch import MinHash, MinHashLSH
from sklearn.feature_extraction.text import TfidfVectorizer


def exact(texts: list[str], threshold: float, chunk: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each text the highest cosine to an earlier one, and at which; -1 below the threshold.

    White space is one blank here as there: scikit-learn by itself keeps single line breaks and tabs."""
    texts = [" ".join(text.split()) for text in texts]
    vectors = TfidfVectorizer(analyzer="char", ngram_range=(3, 3)).fit_transform(texts).astype(np.float64)
    best, highest = np.full(len(texts), -1), np.zeros(len(texts))
    for start in range(0, len(texts), chunk):
        end = min(start + chunk, len(texts))
        block = (vectors[start:end] @ vectors[:end].T).toarray()
        for i, row in enumerate(block):
            row = row[: start + i]
            if len(row) and row.max() >= threshold:
                best[start + i], highest[start + i] = row.argmax(), row.max()
    return best, highest


def minhash(texts: list[str], threshold: float) -> list[set[int]]:
    """Of each text the earlier ones that share a band of 128 permutations."""
    lsh, found = MinHashLSH(threshold=threshold, num_perm=128), []
    for i, text in enumerate(texts):
        m = MinHash(num_perm=128)
        text = " ".join(text.lower().split())
        m.update_batch([text[k : k + 3].encode() for k in range(len(text) - 2)])
        found.append({int(k) for k in lsh.query(m)})
        lsh.insert(str(i), m)
    return found


def main(file: Path, chunk: int) -> None:
    ours = json.loads(file.read_text())
    texts, threshold, mine = ours["texts"], ours["threshold"], np.array(ours["best"])
    began = time.process_time()
    best, highest = exact(texts, threshold, chunk)
    took = time.process_time() - began
    there = best >= 0
    same = int(((mine >= 0) & there).sum())
    other = int(((mine != best) & there).sum())
    print(f"texts {len(texts)}, with an earlier one as alike as {threshold}: {there.sum()} by all pairs")
    print(f"ours: finds one for {same} (recall {same / max(1, there.sum()):.4f}), for {int(((mine >= 0) & ~there).sum())} more that all pairs do not have, another than all pairs for {other}")
    print(f"ours {ours['seconds']:.1f} s, all pairs by sparse products {took:.1f} s: ratio {took / ours['seconds']:.1f}")
    for jaccard in 0.7, 0.5:
        began = time.process_time()
        candidates = minhash(texts, jaccard)
        took = time.process_time() - began
        hits = sum(best[i] in candidates[i] for i in np.flatnonzero(there))
        print(f"datasketch MinHashLSH at Jaccard {jaccard}: has the nearest among its candidates for {hits} (recall {hits / max(1, there.sum()):.4f}), {sum(map(len, candidates))} candidates, {took:.1f} s: ratio {took / ours['seconds']:.1f}")


main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 500)
