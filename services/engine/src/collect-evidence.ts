import type { InvestigationSubject } from "./findings/investigation-subject.ts";
import { type Collected, collect, nothingCollected } from "./observe/collect.ts";
import type { CollectedFor, Collector } from "./observe/collector.ts";
import { eventFactsOf } from "./parse/parse-event.ts";

/**
 * Asks the collectors about a subject, none for longer than `withinMs`. Collectors read databases, so call this where
 * the databases are, and pass what they found to the investigation.
 */
export async function collectEvidence(
  collectors: readonly Collector[],
  subject: InvestigationSubject,
  signal: AbortSignal,
  withinMs?: number,
): Promise<Collected> {
  const asked = askedAbout(subject);
  return asked ? collect(collectors, asked, signal, withinMs) : nothingCollected;
}

function askedAbout({ incident, input }: InvestigationSubject): CollectedFor | null {
  switch (input.kind) {
    case "text":
      return input.about ? { incident, observedAt: input.about.at, event: null, about: input.about } : null;
    case "event":
      return { incident, observedAt: input.event.timestamp, event: eventFactsOf(input) };
    case "process-exit":
      return { incident, observedAt: input.exit.noticedAt, event: null };
  }
}
