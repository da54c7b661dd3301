"""Ranks files by models that are trained without some of the features, to show what each of them gains.

usage: ablate.py VARIANTS FEATURES OUT

VARIANTS: [{"name", "without": [feature], "decisive": bool, "stack_only": bool, "seed": int}]. OUT: for each, a line with the share of seeds
for which the first file, and one of the first three, was right: {"name", "cases": {"corpus/id": [first, three]}}.
Every case is ranked by a model that was trained on none of its group.
"""

import json
import sys
from pathlib import Path

import lightgbm as lgb
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "train"))
import train

SEEDS = 2
MODELS = Path(__file__).parent.parent / "models"


def read(path):
    cases = [json.loads(line) for line in Path(path).read_text("utf8").splitlines()]
    names = train.names_of(cases, "rows")
    for case in cases:
        case["matrix"] = train.matrix(case["rows"], names)
        case["right"] = np.array([row["right"] for row in case["rows"]], dtype=bool)
        case["decisive"] = np.array([row["decisive"] for row in case["rows"]])
    return names, cases


def fit(cases, weights, columns, seed):
    useful = [(case, weight) for case, weight in zip(cases, weights) if case["right"].any() and not case["right"].all()]
    data = lgb.Dataset(
        np.concatenate([case["matrix"][:, columns] for case, _ in useful]),
        np.concatenate([case["right"] for case, _ in useful]).astype(int),
        group=[len(case["right"]) for case, _ in useful],
        weight=np.array([weight for case, weight in useful for _ in case["right"]]),
    )
    return lgb.train({**train.PARAMS, "seed": seed, "objective_seed": seed}, data, train.ROUNDS)


def with_decisive(shares, worth):
    """As `decisive-signals.ts` moves what such signals are worth to the files that hold them."""
    moved = worth.max()
    return shares if moved == 0 else shares * (1 - moved) + moved * worth / worth.sum()


def rank_of_right(case, scores, may_be_named):
    """The place of the first right file, from 0; beyond all others when none is right or may be named."""
    order = [row for row in np.argsort(-scores, kind="stable") if may_be_named[row]]
    return next((rank for rank, row in enumerate(order) if case["right"][row]), len(scores) + 3)


def answers(variant, names, cases):
    columns = [at for at, name in enumerate(names) if name not in set(variant["without"])]
    on_stack = names.index("onStack")
    found = {f"{case['corpus']}/{case['id']}": [0.0, 0.0] for case in cases}
    for seed in range(variant["seed"], variant["seed"] + SEEDS):
        for fold in range(train.FOLDS):
            taught = [c for c in cases if c["corpus"] in train.CORPUS_WEIGHTS and train.fold_of(c["group"]) != fold]
            asked = [c for c in cases if train.fold_of(c["group"]) == fold and c["rows"]]
            model = fit(taught, train.weights_of(taught), columns, seed)
            scores = model.predict(np.concatenate([case["matrix"][:, columns] for case in asked]))
            sharpness = json.loads((MODELS / f"fold-{fold}.json").read_text("utf8"))["sharpness"]
            ends = np.cumsum([len(case["rows"]) for case in asked])
            for case, own in zip(asked, np.split(scores, ends[:-1])):
                may_be_named = (case["matrix"][:, on_stack] == 1) | (not variant["stack_only"])
                shares = train.softmax(own, sharpness)
                if variant["decisive"]:
                    shares = with_decisive(shares, case["decisive"])
                rank = rank_of_right(case, shares, may_be_named)
                share = found[f"{case['corpus']}/{case['id']}"]
                share[0] += (rank < 1) / SEEDS
                share[1] += (rank < 3) / SEEDS
    return found


def main(variants, features, out):
    names, cases = read(features)
    with open(out, "w", encoding="utf8") as file:
        for variant in json.loads(Path(variants).read_text("utf8")):
            file.write(json.dumps({"name": variant["name"], "cases": answers(variant, names, cases)}) + "\n")
            file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
