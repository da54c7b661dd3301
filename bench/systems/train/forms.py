"""Compares two forms of the service model on runs that neither has seen: independent signs, and a conditional logit.

usage: forms.py FEATURES

The conditional logit gives each suspect, the failing service's own code included, a score: the sum of what its signs are
worth, which may be negative, so that a sign can speak for a service as well. The likelihood of a suspect is its share of
the exponentials. A combination of weights is a sign of its own, and so is the same sign of the failing service itself.
"""

import json
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from train import FOLDS, JUDGMENT, flat, fold_of, held_out

# Of the penalty on the square of each weight.
PENALTY = 0.3


def signs_of(case, suspect):
    """The signs of a suspect by name, each as strong as the strongest of its kind."""
    is_own = suspect["kind"] == "own"
    signs = {}
    for sign in suspect["signs"]:
        name = ("own " if is_own else "") + " and ".join(sorted(sign["names"]))
        signs[name] = max(signs.get(name, 0), sign["strength"])
    if not is_own:
        return signs
    about = {"own": 1, "place": case["place"], "has place": float(case["place"] > 0)}
    return {**signs, **about, "known": float(case["isKnownFailure"]), "has own signs": float(bool(suspect["signs"]))}


def matrices(cases):
    signs = [[signs_of(case, suspect) for suspect in case["suspects"]] for case in cases]
    names = sorted({name for suspects in signs for one in suspects for name in one})
    return [np.array([[one.get(name, 0) for name in names] for one in suspects], dtype=float) for suspects in signs]


def loss(weights, data):
    value, gradient = 0.0, np.zeros_like(weights)
    for matrix, right, worth in data:
        scores = matrix @ weights
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        of_right = shares[right].sum()
        wanted = np.zeros_like(shares)
        wanted[right] = shares[right] / of_right
        value -= worth * np.log(of_right)
        gradient -= worth * (matrix.T @ (wanted - shares))
    return value + PENALTY * (weights**2).sum() / 2, gradient + PENALTY * weights


def logit_held_out(cases, found, group):
    """Of each case, whether the first suspect of a model that hasn't seen its group is right."""
    answers = {}
    for fold in range(FOLDS):
        known = [(one, case["right"], case["weight"]) for one, case in zip(found, cases) if fold_of(case[group]) != fold]
        data = [one for one in known if one[1]]
        weights = minimize(loss, np.zeros(found[0].shape[1]), args=(data,), jac=True, method="L-BFGS-B").x
        for one, case in zip(found, cases):
            if fold_of(case[group]) == fold:
                answers[case["id"]] = int(np.argmax(one @ weights)) in case["right"]
    return answers


def main(path):
    cases = [json.loads(line) for line in Path(path).read_text("utf8").splitlines()[1:]]
    names = list(flat(json.loads(JUDGMENT.read_text("utf8"))))
    found = matrices(cases)
    first = [case for case in cases if case["id"].endswith("-0")]
    print(f"right suspect first, of {len(first)} first failures and {len(cases)} cases, on unseen groups")
    for group in ("topology", "operator"):
        independent = {name: right for name, (_, right) in held_out(cases, names, group)[1].items()}
        for form, answers in (("independent signs", independent), ("conditional logit", logit_held_out(cases, found, group))):
            shares = [np.mean([answers[case["id"]] for case in ones]) for ones in (first, cases)]
            print(f"{group:10} {form:18} {shares[0]:.1%} {shares[1]:.1%}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
