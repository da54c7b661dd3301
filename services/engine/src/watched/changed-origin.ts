import { isSameFile } from "../changes/same-file.ts";
import type { TellingChange } from "../changes/telling-changes.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import { throwingSignal } from "../signals/throwing-signal.ts";
import { lastName } from "../source/anchor.ts";
import type { SeenStep, SeenTrail } from "./seen-trail.ts";

/** A release that explains why the failing value was missing where it was seen to be. */
export interface ChangedOrigin {
  readonly change: TellingChange;
  readonly step: SeenStep;
  /** It took the value away from what this program gets, or wrote the line that needs it. */
  readonly how: "took-away" | "wrote";
}

/** Returns the release that explains what was seen of the failing value; null where none does, or several do. */
export function changedOriginOf(
  signals: readonly AnyCodeSignal[],
  changes: readonly TellingChange[],
  trail: SeenTrail,
): ChangedOrigin | null {
  const [only, ...others] = [...takenAway(changes, trail), ...written(signals, changes, trail)];
  return only && others.length === 0 ? only : null;
}

/** The service that answered last removed the field that the answer was seen without; nothing where none is known to. */
function takenAway(changes: readonly TellingChange[], { outside }: SeenTrail): ChangedOrigin[] {
  if (outside?.from !== "answer") return [];
  const { step } = outside;
  const field = lastName(step.name);
  const taking = changes.filter(({ effect, deploy }) => {
    const isAnswering = !deploy.own && deploy.upstream === undefined && deploy.answeredLast;
    const isOf = effect.kind === "name" && !effect.isOfDatabase && effect.name === field && effect.change !== "changed";
    return isAnswering && isOf && deploy.verdict !== "ruled-out";
  });
  // One release may take it away in several places.
  const byRelease = Map.groupBy(taking, ({ deploy }) => JSON.stringify([deploy.service, deploy.release]));
  return [...byRelease.values()].flatMap(([change]) => (change ? [{ change, step, how: "took-away" as const }] : []));
}

/** The program's own release wrote the line that failed, and none of the lines that it removed needed the value. */
function written(
  signals: readonly AnyCodeSignal[],
  changes: readonly TellingChange[],
  trail: SeenTrail,
): ChangedOrigin[] {
  const site = throwingSignal(signals);
  const step = site && trail.missingAt(site);
  if (site?.kind !== "bad-value" || !step) return [];
  const { subject, args } = site;
  const needed = lastName(args.member ?? args.expression);
  return changes.flatMap((change) => {
    const { path, hunk } = change.observation.fact.change;
    const { to, added } = hunk;
    // A line that was only moved is removed in another hunk.
    const removed = change.release.flatMap(({ fact }) => fact.change.hunk.removed);
    const isWritten =
      change.deploy.own &&
      change.deploy.verdict !== "ruled-out" &&
      isSameFile(subject.file, path) &&
      added[subject.line - to]?.trim() === subject.source.line(subject.line).trim();
    const isNew = needed !== null && !removed.some((line) => namesIn(line).has(needed));
    return isWritten && isNew ? [{ change, step, how: "wrote" as const }] : [];
  });
}

function namesIn(line: string): ReadonlySet<string> {
  return new Set(line.match(/[A-Za-z_$][\w$]*/g));
}
