"""Learns how files and places are ranked, from the features of cases whose cause is known.

usage: train.py OUT CORPORA_SHA256 FEATURES...   (OUT: a folder for model.json and fold-0.json ... fold-4.json)

Cases of one group (a repository, a service) are all in one fold. A fold's model has seen no case of its fold; the
calibration is fitted on what those models said of the cases that they had not seen.
"""

import json
import sys
import zlib
from datetime import date
from pathlib import Path

import lightgbm as lgb
import numpy as np
from sklearn.isotonic import IsotonicRegression

FOLDS = 5
SEED = 20261122
ROUNDS = 240
PLACE_ROUNDS = 100
# What one group of a corpus counts; a group counts with the root of its number of cases.
CORPUS_WEIGHTS = {"mined": 3.0, "own": 1.5, "mutant": 1.0}
CALIBRATION_POINTS = 12
PARAMS = {
    # What comes first counts, and a little what comes next.
    "objective": "lambdarank",
    "lambdarank_truncation_level": 5,
    "objective_seed": SEED,
    "learning_rate": 0.06,
    "num_leaves": 12,
    "min_data_in_leaf": 12,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbosity": -1,
    "seed": SEED,
    "deterministic": True,
    "force_row_wise": True,
    # So few rows that a second thread costs more than it saves.
    "num_threads": 1,
}


def read(paths):
    lines = [line for path in paths for line in Path(path).read_text("utf8").splitlines() if line]
    cases = [json.loads(line) for line in lines]
    return [case for case in cases if any(row["right"] for row in case["rows"])]


def fold_of(group):
    return zlib.crc32(group.encode()) % FOLDS


def weights_of(cases):
    sizes = {}
    for case in cases:
        sizes[case["group"]] = sizes.get(case["group"], 0) + 1
    return [CORPUS_WEIGHTS[case["corpus"]] / sizes[case["group"]] ** 0.5 for case in cases]


def matrix(rows, names):
    return np.array([[row["values"].get(name, 0) for name in names] for row in rows], dtype=np.float64)


def fit_ranker(queries, names, rounds):
    """Queries are (rows, weight); those with nothing to choose between teach nothing."""
    useful = [(rows, weight) for rows, weight in queries if len({row["right"] for row in rows}) == 2]
    rows = [row for query, _ in useful for row in query]
    data = lgb.Dataset(
        matrix(rows, names),
        np.array([int(row["right"]) for row in rows]),
        group=[len(query) for query, _ in useful],
        weight=np.array([weight for query, weight in useful for _ in query]),
        feature_name=names,
    )
    return lgb.train(PARAMS, data, rounds)


def softmax(scores, sharpness):
    power = np.exp(sharpness * (scores - scores.max()))
    return power / power.sum()


def names_of(cases, key):
    return list(next(case[key][0]["values"] for case in cases if case[key]))


def fit(cases):
    weights = weights_of(cases)
    file_names, place_names = names_of(cases, "rows"), names_of(cases, "places")
    return {
        "file_names": file_names,
        "place_names": place_names,
        "file": fit_ranker([(c["rows"], w) for c, w in zip(cases, weights)], file_names, ROUNDS),
        "place": fit_ranker([(c["places"], w) for c, w in zip(cases, weights) if c["places"]], place_names, PLACE_ROUNDS),
        "sharpness": 1.0,
        "calibration": {"probability": [0, 1], "share": [0, 1]},
    }


def fit_sharpness(model, cases):
    scored = [(model["file"].predict(matrix(c["rows"], model["file_names"])), np.array([r["right"] for r in c["rows"]])) for c in cases]
    loss = lambda s: -sum(w * np.log(max(1e-6, softmax(x, s)[right].sum())) for (x, right), w in zip(scored, weights_of(cases)))
    return float(min(np.linspace(0.2, 3, 57), key=loss))


def train(cases):
    """The model of some cases; how sharp it may be is measured on a fifth of their groups that it hasn't seen."""
    is_kept = lambda case: fold_of("sharpness:" + case["group"]) == 0
    part = fit([case for case in cases if not is_kept(case)])
    model = fit(cases)
    model["sharpness"] = fit_sharpness(part, [case for case in cases if is_kept(case)])
    return model


def answer_of(model, case):
    """The share of the first file, whether it is right, and the place of the first right one, from 0."""
    shares = softmax(model["file"].predict(matrix(case["rows"], model["file_names"])), model["sharpness"])
    order = np.argsort(-shares, kind="stable")
    right = [bool(case["rows"][row]["right"]) for row in order]
    return float(shares[order[0]]), right[0], right.index(True)


def held_out(answers):
    """How often models were right on cases of groups that they weren't trained on, by corpus."""
    ranks = {}
    for case, (_, _, rank) in answers:
        ranks.setdefault(case["corpus"], []).append(rank)
    share = lambda own, places: round(sum(rank < places for rank in own) / len(own), 3)
    return {corpus: {"cases": len(own), "first": share(own, 1), "three": share(own, 3)} for corpus, own in sorted(ranks.items())}


def unused_features(models):
    """Features in no tree of any model: nothing is lost when the code that makes them is deleted."""
    return [
        name
        for part in ("file", "place")
        for name in models[0][part].feature_name()
        if not any(dict(zip(model[part].feature_name(), model[part].feature_importance("split")))[name] for model in models)
    ]


def calibrate(answers, weights):
    """Isotonic: a surer answer is never less often right. Few points, so that chance isn't learned."""
    said, right = np.array([s for s, _, _ in answers]), np.array([r for _, r, _ in answers], dtype=float)
    smooth = IsotonicRegression(y_min=0.03, y_max=0.97, out_of_bounds="clip").fit(said, right, sample_weight=weights)
    x = np.unique(np.quantile(said, np.linspace(0, 1, CALIBRATION_POINTS)))
    width = (x[-1] - x[0]) / CALIBRATION_POINTS
    y = [float(np.mean(smooth.predict(np.linspace(max(0, at - width), min(1, at + width), 9)))) for at in x]
    return {"probability": [0, *map(float, x), 1], "share": [0, *np.maximum.accumulate(y).tolist(), max(y)]}


def tree(node):
    """One tree as columns, by node; leaves have feature -1."""
    columns = {"feature": [], "threshold": [], "left": [], "right": [], "value": []}

    def add(part):
        at = len(columns["feature"])
        leaf = "leaf_value" in part
        columns["feature"].append(-1 if leaf else part["split_feature"])
        columns["threshold"].append(0 if leaf else round(part["threshold"], 5))
        columns["value"].append(round(part["leaf_value"], 5) if leaf else 0)
        columns["left"].append(0)
        columns["right"].append(0)
        if not leaf:
            columns["left"][at] = add(part["left_child"])
            columns["right"][at] = add(part["right_child"])
        return at

    add(node)
    return columns


def ensemble(booster, names):
    return {"features": names, "trees": [tree(info["tree_structure"]) for info in booster.dump_model()["tree_info"]]}


def write(path, model, trained):
    learned = {
        "trained": trained,
        "file": ensemble(model["file"], model["file_names"]),
        "place": ensemble(model["place"], model["place_names"]),
        "sharpness": round(model["sharpness"], 3),
        "calibration": {key: [round(x, 4) for x in values] for key, values in model["calibration"].items()},
    }
    path.write_text(json.dumps(learned, separators=(",", ":")) + "\n", "utf8")


def main(out, digest, paths):
    cases = [case for case in read(paths) if case["corpus"] in CORPUS_WEIGHTS]
    folder = Path(out)
    models, answers = [], []
    for fold in range(FOLDS):
        models.append(train([case for case in cases if fold_of(case["group"]) != fold]))
        answers += [(case, answer_of(models[fold], case)) for case in cases if fold_of(case["group"]) == fold]
    trained = {"on": date.today().isoformat(), "corpora_sha256": digest, "held_out": held_out(answers)}
    weight = dict(zip((case["id"] for case in cases), weights_of(cases)))
    for fold, model in enumerate(models):
        # A fold's confidence may not be fitted to its own answers either.
        others = [(case, answer) for case, answer in answers if fold_of(case["group"]) != fold]
        model["calibration"] = calibrate([a for _, a in others], [weight[c["id"]] for c, _ in others])
        write(folder / f"fold-{fold}.json", model, trained)
    whole = train(cases)
    whole["calibration"] = calibrate([a for _, a in answers], [weight[c["id"]] for c, _ in answers])
    write(folder / "model.json", whole, trained)
    gains = sorted(zip(whole["file"].feature_importance("gain"), whole["file"].feature_name()), reverse=True)
    print("features by gain:", ", ".join(f"{name} {gain:.0f}" for gain, name in gains[:25]))
    print(f"{len(cases)} cases of {len({case['group'] for case in cases})} groups; first file right in folds not trained on: {np.mean([right for _, (_, right, _) in answers]):.3f}")
    if unused := unused_features([*models, whole]):
        print("in no tree, delete them from the code:", ", ".join(unused))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
