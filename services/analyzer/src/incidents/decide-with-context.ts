import type { Decision } from "@whence/protocol";
import type { DecidedFailure, FailureRepository, JoiningFailure, KnownFailure, Occurrences } from "@whence/storage";

/** So often another analyzer may open an incident just then before this one opens without its context. */
const readsMax = 5;

/** How far the context of a failure had been read when it was decided about. */
export interface OpenedSoFar {
  /** Incidents that the scope had opened by then. */
  readonly opened: number;
}

export interface ContextDecider<Found extends OpenedSoFar> {
  /** Pure. Null: that depends on its context, so read that first. */
  decide(known: KnownFailure | null, found: Found | null): DecidedFailure | JoiningFailure | null;
  readContext(): Promise<Found>;
  /** Pure; without the context. */
  decideAlone(known: KnownFailure | null): DecidedFailure;
}

/**
 * Decides about a failure, and reads its context first where that matters: of two analyzers that open incidents at the
 * same moment the second reads again, and sees what the first opened.
 */
export async function decideWithContext<Found extends OpenedSoFar>(
  failures: FailureRepository,
  occurrences: Occurrences,
  { decide, readContext, decideAlone }: ContextDecider<Found>,
): Promise<Decision> {
  const unseen = { opened: -1 };
  const plain = await failures.decideAsSeen(unseen, occurrences, (known) => decide(known, null));
  if (plain) return plain;
  for (let reads = 0; reads < readsMax; reads += 1) {
    const found = await readContext();
    const decision = await failures.decideAsSeen(found, occurrences, (known) => decide(known, found));
    if (decision) return decision;
  }
  return failures.decide(occurrences, decideAlone);
}
