"""Learns what each sign against a service, a release, or a called host is worth, from runs whose cause is known.

usage: train.py OUT FEATURES   (OUT: a folder for learned.json, topology-0.json ... and operator-0.json ...)

A case is a choice between the failing service's own code and the suspects, each with the weight that the engine's ranking
gives it: the signs of a suspect count as independent ones, the strongest of each source. The weights make what caused the
runs as likely as they can (maximum likelihood), starting from what they were held to be before. Runs of one system, or of
one way to break it, are all in one fold; a fold's model has seen none of them, and the calibration is fitted on what the
models of the systems' folds said of the systems that they had not seen.
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression

FOLDS = 5
# Of the Gaussian prior of each weight's log-odds: a sign that a few runs have moves it little from the judgment.
PRIOR_VARIANCE = 0.5
# What each sign was held to be worth, 0 to 1, before any run was recorded.
JUDGMENT = Path(__file__).with_name("judgment.json")
# As in the engine's ranking.
WEIGHT_MAX = 0.95
CALL = "call"
# Of a cause that isn't among the candidates.
UNKNOWN = 0.05
CALIBRATION_POINTS = 8


def prior_of(names):
    judged = flat(json.loads(JUDGMENT.read_text("utf8")))
    return np.array([np.log(judged[name] / (1 - judged[name])) for name in names])


def flat(tables):
    """The weights by table and name; those that are certainly 0 or 1 stay so, and are not learned."""
    all_tables = {"telemetry": tables["telemetry"], **tables["outside"]}
    entries = {f"{table} {name}": value for table, ones in all_tables.items() for name, value in ones.items()}
    return {name: value for name, value in entries.items() if 0 < value < 1}


def fold_of(group):
    return zlib.crc32(str(group).encode()) % FOLDS


def prepared(cases, names):
    """The signs of each suspect by source, as numbers."""
    index = {name: at for at, name in enumerate(names)}
    made = []
    for case in cases:
        suspects = []
        for suspect in case["suspects"]:
            groups = {}
            for sign in suspect["signs"]:
                used = [index[name] for name in sign["names"] if name in index]
                groups.setdefault(sign["source"], []).append((used, sign["strength"]))
            suspects.append((suspect["kind"], groups))
        own = (case["place"], case["isKnownFailure"], index["telemetry knownFailure"])
        made.append((suspects, own, case["right"], case["weight"]))
    return made


def combined(groups, weights, slopes):
    """What signs are worth as independent ones, and how that changes with each weight's log-odds."""
    left, strongest = 1.0, []
    for group in groups:
        best, used = max(((np.prod(weights[used]) * strength, used) for used, strength in group), key=lambda one: one[0])
        strongest.append((min(best, 0.999), used))
        left *= 1 - strongest[-1][0]
    slope = {}
    for worth, used in strongest:
        for at in used:
            slope[at] = slope.get(at, 0) + left / (1 - worth) * worth / weights[at] * slopes[at]
    total = 1 - left
    return (WEIGHT_MAX, {}) if total > WEIGHT_MAX else (total, slope)


def weight_of(suspect, weights, slopes):
    kind, groups = suspect
    if kind != "service" or CALL not in groups:
        return combined(list(groups.values()), weights, slopes)
    others = combined([group for source, group in groups.items() if source != CALL], weights, slopes)
    # What a failed call is worth on its own shows where nothing else is known of who answers there.
    call = (combined([groups[CALL]], weights, slopes)[0], {})
    return max(others, call, key=lambda one: one[0])


def candidates_of(suspects, own, weights, slopes):
    """What the ranking gives each suspect, and how that changes with each weight's log-odds."""
    found = [weight_of(suspect, weights, slopes) for suspect in suspects]
    most, most_slope = max(found[1:], key=lambda one: one[0], default=(0.0, {}))
    place, is_known, known = own
    if place > 0:
        first = (place * (1 - most), {at: -place * value for at, value in most_slope.items()})
    elif suspects[0][1]:
        first = found[0]
    elif is_known:
        slope = {at: -weights[known] * value for at, value in most_slope.items()}
        slope[known] = slope.get(known, 0) + (1 - most) * slopes[known]
        first = (weights[known] * (1 - most), slope)
    else:
        first = (0.0, {})
    return [first, *found[1:]]


def loss(theta, data, prior):
    weights = 1 / (1 + np.exp(-theta))
    slopes = weights * (1 - weights)
    value, gradient = 0.0, np.zeros_like(theta)
    for suspects, own, right, weight in data:
        found = candidates_of(suspects, own, weights, slopes)
        total = UNKNOWN + sum(worth for worth, _ in found)
        of_right = sum(found[at][0] for at in right) if right else UNKNOWN
        of_right = max(of_right, 1e-4)
        value -= weight * (np.log(of_right) - np.log(total))
        for at, (_, slope) in enumerate(found):
            factor = weight * (1 / total - (1 / of_right if at in right and of_right > 1e-4 else 0))
            for name, change in slope.items():
                gradient[name] += factor * change
    apart = theta - prior
    return value + (apart**2).sum() / (2 * PRIOR_VARIANCE), gradient + apart / PRIOR_VARIANCE


def fit(cases, names):
    prior = prior_of(names)
    return minimize(loss, prior, args=(prepared(cases, names), prior), jac=True, method="L-BFGS-B", options={"maxiter": 40}).x


def answers_of(theta, cases, names):
    """Of each case, how likely its first candidate is, and whether that is right."""
    weights = 1 / (1 + np.exp(-theta))
    answers = []
    for suspects, own, right, _ in prepared(cases, names):
        worths = [worth for worth, _ in candidates_of(suspects, own, weights, weights)]
        best = int(np.argmax(worths))
        answers.append((float(worths[best]), best in right))
    return answers


def calibrate(answers, weights):
    """Isotonic: a surer answer is never less often right. Few points, so that chance isn't learned."""
    said, right = np.array([s for s, _ in answers]), np.array([r for _, r in answers], dtype=float)
    smooth = IsotonicRegression(y_min=0.05, y_max=0.95, out_of_bounds="clip").fit(said, right, sample_weight=weights)
    x = np.unique(np.quantile(said, np.linspace(0, 1, CALIBRATION_POINTS)))
    width = (x[-1] - x[0]) / CALIBRATION_POINTS
    y = [float(np.mean(smooth.predict(np.linspace(max(0, at - width), min(1, at + width), 9)))) for at in x]
    return {"probability": [0, *map(float, x), 1], "share": [0, *np.maximum.accumulate(y).tolist(), max(y)]}


def held_out(cases, names, group):
    """The models of the folds of a grouping, and what each said of the cases that it had not seen."""
    models, answers = [], {}
    for fold in range(FOLDS):
        theta = fit([case for case in cases if fold_of(case[group]) != fold], names)
        unseen = [case for case in cases if fold_of(case[group]) == fold]
        models.append(theta)
        answers.update({case["id"]: answer for case, answer in zip(unseen, answers_of(theta, unseen, names))})
    return models, answers


def share_of(cases, answers):
    weights = [case["weight"] for case in cases]
    return float(np.average([answers[case["id"]][1] for case in cases], weights=weights))


def model_of(theta, names, calibration, trained):
    tables = json.loads(JUDGMENT.read_text("utf8"))
    for name, value in zip(names, 1 / (1 + np.exp(-theta))):
        table, key = name.split(" ")
        (tables["telemetry"] if table == "telemetry" else tables["outside"][table])[key] = round(float(value), 3)
    rounded = {key: [round(value, 4) for value in values] for key, values in calibration.items()}
    return {"trained": trained, **tables, "calibration": rounded}


def main(out, path):
    lines = Path(path).read_text("utf8").splitlines()
    trained, cases = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    names = list(flat(json.loads(JUDGMENT.read_text("utf8"))))
    by_topology, of_topology = held_out(cases, names, "topology")
    by_operator, of_operator = held_out(cases, names, "operator")
    calibration = calibrate([of_topology[case["id"]] for case in cases], [case["weight"] for case in cases])
    trained["held_out"] = {
        "runs": trained.pop("runs"),
        "cases": len(cases),
        "systems": round(share_of(cases, of_topology), 4),
        "operators": round(share_of(cases, of_operator), 4),
    }
    for grouping, models in (("topology", by_topology), ("operator", by_operator)):
        for fold, theta in enumerate(models):
            write(Path(out) / f"{grouping}-{fold}.json", model_of(theta, names, calibration, trained))
    write(Path(out) / "learned.json", model_of(fit(cases, names), names, calibration, trained))
    print(json.dumps(trained))


def write(path, model):
    path.write_text(json.dumps(model, indent=2) + "\n", "utf8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
