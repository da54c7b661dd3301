import { onlyChanges } from "../../../src/changes/only-change.ts";
import type { TellingChange } from "../../../src/changes/telling-changes.ts";
import type { ChangeEffect } from "../../../src/signals/change-effect.ts";
import type { Fact } from "../../../src/signals/fact.ts";
import type { ReleaseComparison } from "../../../src/signals/facts/comparison.ts";
import type { DeployFact } from "../../../src/signals/facts/deploy-fact.ts";
import { hunkText, type ReleaseChange } from "../../../src/signals/facts/release-change.ts";
import type { Subject } from "../../../src/signals/subject.ts";
import {
  type Case,
  caseOf,
  deploy,
  eventFindings,
  ownDeploy,
  placed,
  site,
  totals,
  trail,
} from "../../report/written-reports.ts";

const built: ReleaseChange["commit"] = {
  ...{
    id: "1a2b3c4d5e6f",
    author: "Ada 47",
    subject: "rename 3 fields",
    at: "2026-03-01T09:00:00.000Z",
    of: "release",
  },
};

/** A hunk of a release, and what it has to do with the failure. */
export function changeOf(of: DeployFact, effect: ChangeEffect, commit = built): TellingChange {
  const { service, release, previous, at: releasedAt } = of;
  const hunk = { from: 12, removed: ["  return { amount };"], to: 13, added: ["  return { total: amount };"] };
  const path = of.own ? site.file : "src/body.ts";
  const change = { service, release, previous: previous ?? "", releasedAt, path, hunk, commit };
  const observation: TellingChange["observation"] = {
    ...{ source: { kind: "source_file", name: path }, observed_at: releasedAt, excerpt: hunkText(hunk) },
    ...{ range: null, sha256: "0".repeat(64), location: null, fact: { kind: "release-change", change } },
  };
  return {
    effect,
    deploy: of,
    observation,
    release: [observation],
    place: { file: path, line: effect.kind === "line" ? effect.line : 13, function: null },
  };
}

/** A failure after a release, with what that changed, and what its migrations did beside that. */
export function changedCase(
  of: DeployFact,
  effect: ChangeEffect,
  commit = built,
  schema: ReleaseComparison["schema"] = [],
): Case {
  const comparison = comparisonOf(of, { files: 5, isWhole: true }, schema);
  const findings = eventFindings([{ kind: "deploy", deploy: of }, comparison, totals]);
  const subject: Subject = of.own ? placed(site) : { kind: "release", service: of.service, release: of.release };
  const signals = trail(of.own ? "property" : "answer-field");
  return caseOf({ ...findings, changes: [changeOf(of, effect, commit)] }, subject, signals, { service: of.service });
}

/** A failure after a release of the service itself, of whose code nothing is known. */
export function unchangedCase(of: DeployFact): Case {
  return caseOf(eventFindings([{ kind: "deploy", deploy: of }, totals]), placed(site), trail("property"));
}

/** A failure after a release of another service that changed a file, and nothing that leads from there to the failure. */
export function unexplainedCase(comparison: { readonly files: number; readonly isWhole: boolean }): Case {
  const { observation } = changeOf(deploy, { kind: "line", file: "src/body.ts", line: 13 });
  const findings = eventFindings([{ kind: "deploy", deploy }, comparisonOf(deploy, comparison), totals]);
  return caseOf(
    { ...findings, onlyChanges: onlyChanges([...findings.observations, observation]) },
    { kind: "release", service: "payments", release: "2.0.0" },
    trail("answer-field"),
    { service: "payments" },
  );
}

function comparisonOf(
  of: DeployFact,
  read: { readonly files: number; readonly isWhole: boolean },
  schema: ReleaseComparison["schema"] = [],
): Fact {
  const commits = [
    { id: "1a2b3c4d5e6f", author: "Ada 47", subject: "rename 3 fields", at: "2026-03-01T09:00:00.000Z" },
  ];
  const { service, release, previous, at: releasedAt } = of;
  return {
    kind: "comparison",
    comparison: {
      ...{ service, release, previous: previous ?? "", releasedAt, commits, ...read },
      ...{ dependencies: [], schema, data: [] },
    },
  };
}

const name = { kind: "name", name: "amount" } as const;
/** A case of every way in which a release changes what fails. */
export const releaseThatChanged: readonly (readonly [string, Case])[] = [
  ["renamed a field", changedCase(deploy, { ...name, change: "renamed", renamedTo: "total" })],
  [
    "renamed a field, its commit unknown",
    changedCase(deploy, { ...name, change: "renamed", renamedTo: "total" }, null),
  ],
  ["removed a field", changedCase(deploy, { ...name, change: "removed", renamedTo: null })],
  ["makes a field differently", changedCase(deploy, { ...name, change: "changed", renamedTo: null })],
  ["changed a line", changedCase(ownDeploy, { kind: "line", file: site.file, line: site.line })],
  ["changed a function, and is only near", changedCase(nearDeploy(), { kind: "function", file: site.file, line: 1 })],
  ["reads a variable", changedCase(ownDeploy, { kind: "setting", name: "KEY_2", change: "added" })],
  ["no longer reads a variable", changedCase(ownDeploy, { kind: "setting", name: "KEY_2", change: "removed" })],
  ["changed a dependency", changedCase(ownDeploy, { kind: "dependency", name: "pg", from: "8.11.0", to: "9" })],
  ["added a dependency", changedCase(ownDeploy, { kind: "dependency", name: "pg", from: null, to: "9" })],
  ["removed a dependency", changedCase(ownDeploy, { kind: "dependency", name: "pg", from: "8", to: null })],
];

/** A release of the service itself that all processes got at once, soon before the failure. */
export function nearDeploy(): DeployFact {
  return { ...ownDeploy, verdict: "near", reason: { kind: "soon-after" } };
}
