"""Learns how files and places are ranked, from the features of cases whose cause is known.

usage: train.py OUT CORPORA_SHA256 FEATURES...   (OUT: a folder for model.json and fold-0.json ... fold-4.json)

Cases of one group (a repository, a service) are all in one fold. A fold's model has seen no case of its fold. Sharpness and
calibration are fitted on what those models said of the cases that they had not seen.
"""

import json
import sys
import zlib
from datetime import date
from multiprocessing import get_context
from pathlib import Path

import lightgbm as lgb
import numpy as np
from sklearn.isotonic import IsotonicRegression

FOLDS = 5
PROCESSES = 2
# What one of them says by chance, the others don't: a model is the mean of a ranker for each.
SEEDS = (20261122, 20261123, 20261124, 20261125, 20261126)
FILE_ROUNDS = 300
PLACE_ROUNDS = 200
# What one group of a corpus counts; a group counts with the root of its number of cases, and a case once for all its forms.
# With the whole weight, mutants teach the ranking what mutants are like, and nothing about other failures.
CORPUS_WEIGHTS = {"mined": 3.0, "own": 2.0, "mutant": 0.3, "pasted": 1.0}
CALIBRATION_POINTS = 12
# A language of fewer cases is judged together with others of these.
LANGUAGE_CASES_MIN = 60
# A view of the code with fewer answers is calibrated with all.
VIEW_ANSWERS_MIN = 20
# Being nearer to the top of the stack may never count against a file.
ASCENDING = {"stackRank", "ownRank", "frameRank", "calledRank"}
# As in rank-files.ts.
UNLED_SHARE_MAX = 0.03
OFF_STACK_SHARE_MAX = 0.1
MANY_FILES_MIN = 16
# What comes first counts, and a little what comes next.
RANKING = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 5,
    "learning_rate": 0.06,
    "num_leaves": 16,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "verbosity": -1,
    "deterministic": True,
    "force_row_wise": True,
    # So few rows that a second thread costs more than it saves.
    "num_threads": 1,
}
# Only the place that comes first is named, and few places of a file are right: small trees, which learn slowly.
PLACE_RANKING = {
    **RANKING,
    "lambdarank_truncation_level": 1,
    "learning_rate": 0.03,
    "num_leaves": 8,
    "min_data_in_leaf": 20,
}


class Case:
    """A case in one form: which of its rows nothing leads to, which are right."""

    def __init__(self, record):
        self.id, self.group, self.corpus, self.sight = (record[key] for key in ("id", "group", "corpus", "sight"))
        self.language, self.view = self.sight.split("/")
        self.rows, self.places = record["rows"], record["places"]
        # Files that only a signal names, because their text wasn't given: without features.
        self.named = record["named"]
        column = lambda name: np.array([row["values"].get(name, 0) for row in self.rows])
        self.right = np.array([row["right"] for row in self.rows], dtype=bool)
        self.on = column("onStack") > 0
        self.unled = ~self.on & (column("evidence") == 0)
        self.is_reported = bool(column("failureReported").max(initial=0) > 0)
        self.has_many_files = bool(column("failureGivenFiles").max(initial=0) >= MANY_FILES_MIN)


def read(paths, is_all=False):
    """The cases that train; those that may not weigh nothing, and are left out unless all are asked for."""
    lines = [line for path in paths for line in Path(path).read_text("utf8").splitlines() if line]
    records = [record for record in map(json.loads, lines) if record["rows"]]
    cases = [Case(record) for record in records if is_all or record["corpus"] in CORPUS_WEIGHTS]
    forms, members, languages = {}, {}, {}
    for case in cases:
        languages.setdefault(case.language, set()).add((case.corpus, case.id))
        forms[case.corpus, case.id] = forms.get((case.corpus, case.id), 0) + 1
        members.setdefault(case.group, set()).add((case.corpus, case.id))
    for case in cases:
        case.sight = case.sight if len(languages[case.language]) >= LANGUAGE_CASES_MIN else f"other/{case.view}"
        case.weight = CORPUS_WEIGHTS.get(case.corpus, 0) / len(members[case.group]) ** 0.5 / forms[case.corpus, case.id]
    return cases


def fold_of(group):
    return zlib.crc32(group.encode()) % FOLDS


def matrix(rows, names):
    return np.array([[row.get(name, 0) for name in names] for row in rows], dtype=np.float64).reshape(len(rows), len(names))


def names_in(records):
    return sorted({name for record in records for name in record})


def fit_rankers(queries, rounds, left_out, seeds, ranking=RANKING):
    """One for each seed. Queries are (rows, weight); those with nothing to choose between teach nothing."""
    useful = [(rows, weight) for rows, weight in queries if len({row["right"] for row in rows}) == 2]
    rows = [row for query, _ in useful for row in query]
    names = [name for name in names_in(row["values"] for row in rows) if name not in left_out]
    data = lgb.Dataset(
        matrix([row["values"] for row in rows], names),
        np.array([int(row["right"]) for row in rows]),
        group=[len(query) for query, _ in useful],
        weight=np.array([weight for query, weight in useful for _ in query]),
        feature_name=names,
        free_raw_data=False,
    )
    constraints = [int(name in ASCENDING) for name in names]
    settings = {**ranking, "monotone_constraints": constraints}
    return [lgb.train({**settings, "seed": seed, "objective_seed": seed}, data, rounds) for seed in seeds], names


def train(cases, left_out=frozenset(), seeds=SEEDS):
    return {
        "file": fit_rankers([(c.rows, c.weight) for c in cases], FILE_ROUNDS, left_out, seeds),
        "place": fit_rankers(
            [(c.places, c.weight) for c in cases if c.places], PLACE_ROUNDS, left_out, seeds, PLACE_RANKING
        ),
    }


def score(model, cases):
    """What a model that wasn't trained on the cases says of their files, kept with each."""
    rankers, names = model["file"]
    ends = np.cumsum([len(case.rows) for case in cases])[:-1]
    rows = matrix([row["values"] for case in cases for row in case.rows], names)
    said = np.mean([ranker.predict(rows) for ranker in rankers], axis=0)
    for case, scores in zip(cases, np.split(said, ends)):
        case.scores = scores


def softmax(scores, sharpness):
    if len(scores) == 0:
        return scores
    power = np.exp(sharpness * (scores - scores.max()))
    return power / power.sum()


def fit_sharpness(scored):
    loss = lambda s: -sum(weight * np.log(max(1e-6, softmax(scores, s)[right].sum())) for scores, right, weight in scored)
    return float(min(np.linspace(0.2, 3, 57), key=loss))


def shares_of(case, sharpness):
    """As rank-files.ts shares a case out."""
    shares = softmax(case.scores, sharpness)
    if case.is_reported:
        shares = limited(shares, case.unled, UNLED_SHARE_MAX)
    return limited(shares, ~case.on, OFF_STACK_SHARE_MAX) if case.has_many_files else shares


def limited(shares, some, share_max):
    share = shares[some].sum()
    if share <= share_max or share == 1 or some.all():
        return shares
    return np.where(some, shares * share_max / share, shares * (1 - share_max) / (1 - share))


def held_out(cases, settled):
    """How often models were right on cases of groups that they weren't trained on, by corpus; a case counts in all its forms."""
    ranks = {}
    for case in cases:
        order = np.argsort(-shares_of(case, settled["sharpness"]), kind="stable")
        right = case.right[order]
        ranks.setdefault(case.corpus, []).append(int(right.argmax()) if right.any() else len(right) + FOLDS)
    share = lambda own, places: round(float(np.mean([rank < places for rank in own])), 3)
    return {corpus: {"cases": len(own), "first": share(own, 1), "three": share(own, 3)} for corpus, own in sorted(ranks.items())}


def unused_features(models):
    """Features in no tree of any model: nothing is lost when the code that makes them is deleted."""
    used, known = set(), set()
    for model in models:
        for rankers, names in model.values():
            known |= set(names)
            used |= {name for one in rankers for name, count in zip(names, one.feature_importance("split")) if count}
    return sorted(known - used)


def first_of(case, sharpness):
    shares = shares_of(case, sharpness)
    best = int(np.argmax(shares))
    return float(shares[best]), bool(case.right[best])


def calibrate(answers, weights):
    """Isotonic: a surer answer is never less often right. Few points, so that chance isn't learned."""
    said, right = np.array([s for s, _ in answers]), np.array([r for _, r in answers], dtype=float)
    smooth = IsotonicRegression(y_min=0.03, y_max=0.97, out_of_bounds="clip").fit(said, right, sample_weight=weights)
    x = np.unique(np.quantile(said, np.linspace(0, 1, CALIBRATION_POINTS)))
    width = (x[-1] - x[0]) / CALIBRATION_POINTS
    y = [float(np.mean(smooth.predict(np.linspace(max(0, at - width), min(1, at + width), 9)))) for at in x]
    return {"probability": [0, *map(float, x), 1], "share": [0, *np.maximum.accumulate(y).tolist(), max(y)]}


def settle(scored):
    """Everything that is fitted to answers of models that hadn't seen the cases."""
    sharpness = fit_sharpness([(case.scores, case.right, case.weight) for case in scored if case.right.any()])
    of = lambda own: calibrate([first_of(case, sharpness) for case in own], [case.weight for case in own])
    by_sight = {}
    for case in scored:
        by_sight.setdefault(case.sight, []).append(case)
    return {
        "sharpness": sharpness,
        "calibration": of(scored),
        "calibrations": {sight: of(own) for sight, own in sorted(by_sight.items()) if len(own) >= VIEW_ANSWERS_MIN},
        # calibrate.ts fits these two, also to stacks that people pasted.
        "departures": {},
        "texts": {"calibration": {"probability": [0, 1], "share": [0, 1]}, "calibrations": {}, "thrown": 0, "ownShare": {}},
    }


def tree(node, share):
    """One tree as columns, by node; leaves have feature -1, and that share of their value."""
    columns = {"feature": [], "threshold": [], "left": [], "right": [], "value": []}

    def add(part):
        at = len(columns["feature"])
        leaf = "leaf_value" in part
        columns["feature"].append(-1 if leaf else part["split_feature"])
        columns["threshold"].append(0 if leaf else round(part["threshold"], 5))
        columns["value"].append(round(part["leaf_value"] * share, 5) if leaf else 0)
        columns["left"].append(0)
        columns["right"].append(0)
        if not leaf:
            columns["left"][at] = add(part["left_child"])
            columns["right"][at] = add(part["right_child"])
        return at

    add(node)
    return columns


def ensemble(rankers, names):
    trees = [info["tree_structure"] for one in rankers for info in one.dump_model()["tree_info"]]
    return {"features": names, "trees": [tree(root, 1 / len(rankers)) for root in trees]}


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [rounded(one) for one in value]
    return round(value, 4) if isinstance(value, float) else value


def write(path, model, settled, trained):
    learned = {key: ensemble(*one) for key, one in model.items()}
    path.write_text(json.dumps({"trained": trained, **learned, **rounded(settled)}, separators=(",", ":")) + "\n", "utf8")


# Read by forked processes, so that nothing is copied to them.
taught = []


def train_without(fold):
    return train([case for case in taught if fold_of(case.group) != fold])


def main(out, digest, paths):
    cases = read(paths)
    folder = Path(out)
    taught.extend(cases)
    with get_context("fork").Pool(PROCESSES) as pool:
        *models, whole = pool.map(train_without, [*range(FOLDS), None], chunksize=1)
    for fold, model in enumerate(models):
        score(model, [case for case in cases if fold_of(case.group) == fold])
    settled = settle(cases)
    trained = {"on": date.today().isoformat(), "corpora_sha256": digest, "held_out": held_out(cases, settled)}
    for fold, model in enumerate(models):
        # A fold's confidence may not be fitted to its own answers either.
        write(folder / f"fold-{fold}.json", model, settle([case for case in cases if fold_of(case.group) != fold]), trained)
    write(folder / "model.json", whole, settled, trained)
    rankers, names = whole["file"]
    gains = sorted(zip(sum(one.feature_importance("gain") for one in rankers), names), reverse=True)
    print("features by gain:", ", ".join(f"{name} {gain:.0f}" for gain, name in gains[:25]))
    for corpus, own in trained["held_out"].items():
        print(f"{corpus}, in all forms: {own['first']:.3f} first, {own['three']:.3f} among three, of {own['cases']}")
    if unused := unused_features([*models, whole]):
        print("in no tree, delete them from the code:", ", ".join(unused))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
