"""The statistics of `vitrine meta stat` against the libraries that are their references."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import random
import subprocess
import warnings
from typing import Any

import pytest

PROGRAM = os.environ.get("VITRINE_BIN")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="VITRINE_BIN is not set")

np = pytest.importorskip("numpy", reason="numpy is not here")
scipy_stats = pytest.importorskip("scipy.stats", reason="SciPy is not here")

SEEDS = range(6)


def stat(name: str, header: list[str], rows: list[list[Any]]) -> dict[str, Any]:
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(header)
    writer.writerows([["" if cell is None else cell for cell in row] for row in rows])
    assert PROGRAM
    done = subprocess.run([PROGRAM, "meta", "stat", name], input=table.getvalue(), capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def same(got: float | None, want: float) -> None:
    if math.isnan(want):
        assert got is None
    else:
        assert got == pytest.approx(want, rel=1e-9, abs=1e-9)


def numbers(seed: int, n: int = 60) -> list[list[float]]:
    """Pairs that go together a little, with ties in both columns for every second seed."""
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        x, y = rng.gauss(0, 3), rng.gauss(0, 3)
        y += 0.5 * x
        rows.append([round(x), round(y)] if seed % 2 else [x, y])
    return rows


def labels(seed: int, n: int = 50, raters: int = 2, categories: int = 4, missing: float = 0.0) -> list[list[int | None]]:
    rng = random.Random(seed)
    rows: list[list[int | None]] = []
    for _ in range(n):
        true = rng.randrange(categories)
        answers = [true if rng.random() < 0.6 else rng.randrange(categories) for _ in range(raters)]
        rows.append([None if rng.random() < missing else a for a in answers])
    return rows


@pytest.mark.parametrize("seed", SEEDS)
def test_correlations_are_those_of_scipy(seed: int) -> None:
    rows = numbers(seed)
    x, y = zip(*rows, strict=True)
    same(stat("pearson", ["x", "y"], rows)["value"], scipy_stats.pearsonr(x, y).statistic)
    same(stat("spearman", ["x", "y"], rows)["value"], scipy_stats.spearmanr(x, y).statistic)
    same(stat("kendall", ["x", "y"], rows)["value"], scipy_stats.kendalltau(x, y).statistic)


def test_what_is_not_defined_is_null() -> None:
    for name in ("pearson", "spearman", "kendall"):
        assert stat(name, ["x", "y"], [[1, 5], [2, 5], [3, 5]])["value"] is None
        assert stat(name, ["x", "y"], [[1, 5]])["value"] is None
        assert stat(name, ["x", "y"], [])["value"] is None
    assert stat("cohen_kappa", ["a", "b"], [["x", "x"], ["x", "x"]])["value"] is None
    assert stat("fleiss_kappa", ["1", "2"], [["x", "x"], ["x", "x"]])["value"] is None
    assert stat("krippendorff_alpha_nominal", ["1", "2"], [["x", "x"], ["y", None]])["value"] is None
    assert stat("wilson", ["hit"], [])["value"] is None
    assert stat("mcnemar", ["a", "b"], [])["value"] is None


@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_of_two_is_that_of_scikit_learn(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not here")
    rows = labels(seed)
    a, b = zip(*rows, strict=True)
    for name, weights in (("cohen_kappa", None), ("cohen_kappa_linear", "linear"), ("cohen_kappa_quadratic", "quadratic")):
        same(stat(name, ["a", "b"], rows)["value"], metrics.cohen_kappa_score(a, b, weights=weights))
    same(stat("mae", ["x", "y"], rows)["value"], metrics.mean_absolute_error(a, b))


@pytest.mark.parametrize("seed", SEEDS)
def test_isotonic_maps_are_those_of_scikit_learn(seed: int) -> None:
    isotonic = pytest.importorskip("sklearn.isotonic", reason="scikit-learn is not here")
    rows = numbers(seed)
    x, y = zip(*rows, strict=True)
    fitted = isotonic.IsotonicRegression(out_of_bounds="clip").fit(x, y)
    for step in stat("isotonic", ["x", "y"], rows)["steps"]:
        same(step["y"], float(fitted.predict([step["x"]])[0]))


@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_of_several_is_that_of_statsmodels(seed: int) -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater", reason="statsmodels is not here")
    rows = labels(seed, raters=4)
    counts, _ = inter_rater.aggregate_raters(np.array(rows))
    same(stat("fleiss_kappa", ["1", "2", "3", "4"], rows)["value"], inter_rater.fleiss_kappa(counts))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_is_that_of_krippendorff(seed: int, level: str) -> None:
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is not here")
    rows = labels(seed, raters=5, missing=0.3)
    data = np.array([[np.nan if cell is None else float(cell) for cell in row] for row in rows]).T
    want = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
    same(stat("krippendorff_alpha_" + level, ["1", "2", "3", "4", "5"], rows)["value"], float(want))


@pytest.mark.parametrize("seed", SEEDS)
def test_tests_are_those_of_statsmodels(seed: int) -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables", reason="statsmodels is not here")
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint

    rng = random.Random(seed)
    rows = [[int(rng.random() < 0.7), int(rng.random() < 0.55)] for _ in range(40)]
    table = [[sum(r == [i, j] for r in rows) for j in (1, 0)] for i in (1, 0)]
    for name, exact in (("mcnemar", True), ("mcnemar_chi2", False)):
        got, want = stat(name, ["a", "b"], rows), tables.mcnemar(table, exact=exact, correction=True)
        same(got["value"], float(want.pvalue))
        same(got["statistic"], float(want.statistic))
    hits = [[r[0]] for r in rows]
    got = stat("wilson", ["hit"], hits)
    low, high = proportion_confint(sum(h[0] for h in hits), len(hits), method="wilson")
    same(got["value"], sum(h[0] for h in hits) / len(hits))
    same(got["low"], float(low))
    same(got["high"], float(high))
    p = [rng.random() ** 3 for _ in range(9)]
    corrected = stat("holm", ["p"], [[v] for v in p])["corrected"]
    for one, want in zip(corrected, multipletests(p, method="holm")[1], strict=True):
        same(one, float(want))


@pytest.mark.parametrize("seed", SEEDS)
def test_permutations_are_those_of_scipy(seed: int) -> None:
    rows = numbers(seed, n=11)
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = scipy_stats.permutation_test((x, y), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", vectorized=True)
    got = stat("permutation", ["x", "y"], rows)
    same(got["value"], float(want.pvalue))
    same(got["statistic"], float(want.statistic))
