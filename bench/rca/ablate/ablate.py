"""Ranks files by models that are trained without some of the features, to show what each of them gains.

usage: ablate.py VARIANTS FEATURES OUT

VARIANTS: [{"name", "without": [feature], "not_decisive": [kind], "stack_only": bool, "seed": int}]. OUT: for each, a line with the share of seeds
for which the first file, and one of the first three, was right: {"name", "cases": {"corpus/id": [first, three]}}.
Every case is ranked by a model that was trained on none of its group.
"""

import functools
import json
import sys
from pathlib import Path

import lightgbm as lgb
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "train"))
import train

SEEDS = 2
MODELS = Path(__file__).parent.parent / "models"


@functools.cache
def read(path):
    cases = [json.loads(line) for line in Path(path).read_text("utf8").splitlines()]
    names = train.names_of(cases, "rows")
    for case in cases:
        case["matrix"] = train.matrix(case["rows"], names)
        # Files that only a signal names come last, without features.
        case["right"] = np.array([row["right"] for row in case["rows"] + case["named"]], dtype=bool)
        case["scored"] = len(case["rows"])
    return names, cases


def fit(cases, weights, columns, seed):
    rights = [case["right"][: case["scored"]] for case in cases]
    useful = [(case, weight, right) for case, weight, right in zip(cases, weights, rights) if right.any() and not right.all()]
    data = lgb.Dataset(
        np.concatenate([case["matrix"][:, columns] for case, _, _ in useful]),
        np.concatenate([right for _, _, right in useful]).astype(int),
        group=[len(right) for _, _, right in useful],
        weight=np.array([weight for _, weight, right in useful for _ in right]),
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


def worth_of(case, left_out):
    """What decisive signals are worth for each file, without some kinds."""
    weights = [row["decisive"] for row in case["rows"] + case["named"]]
    return np.array([max([0, *(weight for kind, weight in own.items() if kind not in left_out)]) for own in weights])


@functools.cache
def shares_of(without, seed, fold):
    """The share of each file of the cases of a fold, by a model that was trained without them."""
    names, cases = read(sys.argv[2])
    columns = [at for at, name in enumerate(names) if name not in without]
    taught = [c for c in cases if c["corpus"] in train.CORPUS_WEIGHTS and train.fold_of(c["group"]) != fold]
    asked = [c for c in cases if train.fold_of(c["group"]) == fold and c["rows"]]
    model = fit(taught, train.weights_of(taught), columns, seed)
    scores = model.predict(np.concatenate([case["matrix"][:, columns] for case in asked]))
    sharpness = json.loads((MODELS / f"fold-{fold}.json").read_text("utf8"))["sharpness"]
    parts = np.split(scores, np.cumsum([case["scored"] for case in asked])[:-1])
    return [(case, np.append(train.softmax(own, sharpness), [0] * len(case["named"]))) for case, own in zip(asked, parts)]


def answers(variant, names, cases):
    on_stack = names.index("onStack")
    left_out = set(variant["not_decisive"])
    found = {f"{case['corpus']}/{case['id']}": [0.0, 0.0] for case in cases}
    for seed in range(variant["seed"], variant["seed"] + SEEDS):
        for fold in range(train.FOLDS):
            for case, shares in shares_of(tuple(variant["without"]), seed, fold):
                is_on_stack = np.append(case["matrix"][:, on_stack] == 1, [False] * len(case["named"]))
                may_be_named = is_on_stack | (not variant["stack_only"])
                rank = rank_of_right(case, with_decisive(shares, worth_of(case, left_out)), may_be_named)
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
