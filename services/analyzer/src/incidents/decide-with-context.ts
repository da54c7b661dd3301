import type { Decision } from "@whence/protocol";
import type { DecidedFailure, FailureRepository, JoiningFailure, KnownFailure, Occurrences } from "@whence/storage";

/** So often somebody else may open an incident just then before one opens without having looked at it. */
const readsMax = 5;

/** What was seen around a failure before it was decided about. */
export interface OpenedSoFar {
  /** Incidents that the scope had opened by then. */
  readonly opened: number;
}

export interface ContextDecider<Found extends OpenedSoFar> {
  /** Pure. Null: that depends on what is around it, so look first. */
  decide(known: KnownFailure | null, found: Found | null): DecidedFailure | JoiningFailure | null;
  readContext(): Promise<Found>;
  /** Pure; without having looked. */
  decideAlone(known: KnownFailure | null): DecidedFailure;
}

/**
 * Decides about a failure, and looks around first where that matters: of two analyzers that open incidents at the same
 * moment the second looks again, and sees what the first opened.
 */
export async function decideWithContext<Found extends OpenedSoFar>(
  failures: FailureRepository,
  occurrences: Occurrences,
  { decide, readContext: look, decideAlone: decideBlindly }: ContextDecider<Found>,
): Promise<Decision> {
  const unseen = { opened: -1 };
  const plain = await failures.decideAsSeen(unseen, occurrences, (known) => decide(known, null));
  if (plain) return plain;
  for (let looks = 0; looks < readsMax; looks += 1) {
    const found = await look();
    const decision = await failures.decideAsSeen(found, occurrences, (known) => decide(known, found));
    if (decision) return decision;
  }
  return failures.decide(occurrences, decideBlindly);
}
