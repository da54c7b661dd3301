import { type Location, listsDependencies } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { ofKind, type Seen } from "../findings/of-kind.ts";
import type { ParsedError } from "../findings/parsed-error.ts";
import { type ChangeEffect, orderOfEffect } from "../signals/change-effect.ts";
import type { DeployFact } from "../signals/facts/deploy-fact.ts";
import type { Hunk } from "../signals/facts/release-change.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { ReadLinesApart } from "../trace/lines-apart.ts";
import type { Traced } from "../trace/traced.ts";
import { calledPackages, isMajor } from "./called-packages.ts";
import { changedData } from "./changed-data.ts";
import { changedDependencies } from "./changed-dependencies.ts";
import { changedNames } from "./changed-names.ts";
import { changedPlaces } from "./changed-places.ts";
import { changedSettings } from "./changed-settings.ts";
import { isSameCode } from "./code-lines.ts";
import { failingPackages } from "./failing-packages.ts";
import { missingNames } from "./missing-names.ts";

/** A change of a release that isn't ruled out, and how it bears on the failure. */
export interface TellingChange {
  readonly effect: ChangeEffect;
  /** In the new release. For the failing service, the file is named as its stack names it. */
  readonly place: Location;
  readonly deploy: DeployFact;
  readonly observation: Seen<"release-change">;
  /** The changes of code in the same release, this one included. */
  readonly release: readonly Seen<"release-change">[];
}

/** The failure that changes are compared with. */
interface Failing {
  readonly error: ParsedError;
  readonly traced: Traced;
  /** The release of the failing process. */
  readonly release: string | null;
  readonly readLines: ReadLinesApart;
}

/** Returns the changes that bear on the failure, the strongest first. */
export function tellingChanges(observations: readonly Observation[], failing: Failing): TellingChange[] {
  const changes = ofKind(observations, "release-change").filter(({ fact: { change } }) =>
    isOfCode(change.path, change.hunk),
  );
  const deploys = ofKind(observations, "deploy").filter(({ fact: { deploy } }) => deploy.verdict !== "ruled-out");
  const telling = deploys.flatMap(({ fact: { deploy } }) => {
    const own = changes.filter(
      ({ fact: { change } }) => change.service === deploy.service && change.release === deploy.release,
    );
    return own.length === 0 ? [] : ofRelease(deploy, own, failing);
  });
  return telling.toSorted((left, right) => orderOfEffect(left.effect) - orderOfEffect(right.effect));
}

/** Returns whether a change is more than comments and spacing, which can't cause a failure. */
export function isOfCode(path: string, { removed, added }: Pick<Hunk, "removed" | "added">): boolean {
  return listsDependencies(path) || !isSameCode(removed, added);
}

function ofRelease(
  deploy: DeployFact,
  seen: readonly Seen<"release-change">[],
  { error, traced, release, readLines }: Failing,
): TellingChange[] {
  const changes = seen.map((observation) => ({ ...observation.fact.change, observation }));
  const telling = (
    { observation, path }: (typeof changes)[number],
    effect: ChangeEffect,
    line: number | null,
  ): TellingChange => ({ effect, observation, deploy, release: seen, place: { file: path, line, function: null } });
  const names = changedNames(changes, missingNames(error, traced.signals), readLines).map(
    ({ in: change, line, ...args }) => telling(change, { kind: "name", ...args }, line),
  );
  const settings = changedSettings(changes)
    .filter(({ name }) => isNamed(name, error, traced.signals))
    .map(({ in: change, line, ...args }) => telling(change, { kind: "setting", ...args }, line));
  if (!deploy.own || (release !== null && release !== deploy.release)) return [...names, ...settings];
  const packages = failingPackages(error, traced);
  const called = calledPackages(traced);
  const dependencies = changedDependencies(changes)
    .filter(
      ({ name, from, to }) => packages.has(name.toLowerCase()) || (called.has(name.toLowerCase()) && isMajor(from, to)),
    )
    .map(({ in: change, ...args }) => telling(change, { kind: "dependency", ...args }, lineOf(change.hunk, args.name)));
  const places = changedPlaces(changes, traced).map(({ in: { observation }, effect, place }) => ({
    effect,
    place,
    deploy,
    observation,
    release: seen,
  }));
  const data = changedData(changes, traced).map(({ in: change, ...args }) =>
    telling(change, { kind: "data", ...args }, Math.max(1, change.hunk.to)),
  );
  return [...names, ...settings, ...dependencies, ...data, ...places];
}

/** Returns the line of a hunk that names a package in the new release; null where none does. */
function lineOf({ to, added }: Hunk, name: string): number | null {
  const index = added.findIndex((line) => line.includes(name));
  return index < 0 ? null : to + index;
}

/** Returns whether the error or the value's trail names a setting. */
function isNamed(name: string, { chain, exceptions }: ParsedError, signals: readonly AnyCodeSignal[]): boolean {
  const isSaid = chain.some((index) => new RegExp(`\\b${name}\\b`).test(exceptions[index]?.message ?? ""));
  return (
    isSaid ||
    signals.some(
      ({ kind, args }) =>
        kind === "value-step" && (args.how === "environment" || args.how === "setting") && args.name.endsWith(name),
    )
  );
}

/**
 * Returns whether a release changed code, all of the change was read, and none of it bears on the failure. False for a
 * release without code changes: it changed settings, which aren't visible here.
 */
export function isUnchanged(
  { service, release }: Pick<DeployFact, "service" | "release">,
  {
    observations,
    changes = [],
  }: { readonly observations: readonly Observation[]; readonly changes?: readonly TellingChange[] },
): boolean {
  const isRead = ofKind(observations, "comparison").some(
    ({ fact: { comparison: one } }) =>
      one.isWhole && one.files !== 0 && one.service === service && one.release === release,
  );
  return isRead && !changes.some(({ deploy }) => deploy.service === service && deploy.release === release);
}
