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

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "train"))
import train

SEEDS = 2
MODELS = Path(__file__).parent.parent / "models"


@functools.cache
def read():
    return train.read([sys.argv[2]], is_all=True)


def with_decisive(shares, worth):
    """As `decisive-signals.ts` moves what such signals are worth to the files that hold them."""
    moved = worth.max()
    return shares if moved == 0 else shares * (1 - moved) + moved * worth / worth.sum()


def worth_of(case, left_out):
    """What decisive signals are worth for each file, without some kinds."""
    weights = [row["decisive"] for row in case.rows + case.named]
    return np.array([max([0, *(weight for kind, weight in own.items() if kind not in left_out)]) for own in weights])


@functools.cache
def shares_of(without, seed, fold):
    """The share of each file of the cases of a fold, by a model that was trained without some features."""
    taught = [c for c in read() if c.weight > 0 and train.fold_of(c.group) != fold]
    asked = [c for c in read() if train.fold_of(c.group) == fold]
    train.score(train.train(taught, set(without), (seed,)), asked)
    sharpness = json.loads((MODELS / f"fold-{fold}.json").read_text("utf8"))["sharpness"]
    # Files that only a signal names come last.
    return [(case, np.append(train.shares_of(case, sharpness), [0] * len(case.named))) for case in asked]


def answers(variant):
    left_out, is_any = set(variant["not_decisive"]), not variant["stack_only"]
    found = {f"{case.corpus}/{case.id}": [0.0, 0.0] for case in read()}
    for seed in range(variant["seed"], variant["seed"] + SEEDS):
        for fold in range(train.FOLDS):
            for case, shares in shares_of(tuple(variant["without"]), seed, fold):
                may_be_named = np.append(case.on | is_any, [is_any] * len(case.named)).astype(bool)
                right = np.append(case.right, [row["right"] for row in case.named]).astype(bool)
                scores = np.where(may_be_named, with_decisive(shares, worth_of(case, left_out)), -1)
                order = np.argsort(-scores, kind="stable")
                share = found[f"{case.corpus}/{case.id}"]
                share[0] += bool(right[order[0]] and may_be_named[order[0]]) / SEEDS
                share[1] += bool((right & may_be_named)[order[:3]].any()) / SEEDS
    return found


def main(variants, out):
    with open(out, "w", encoding="utf8") as file:
        for variant in json.loads(Path(variants).read_text("utf8")):
            file.write(json.dumps({"name": variant["name"], "cases": answers(variant)}) + "\n")
            file.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3])
