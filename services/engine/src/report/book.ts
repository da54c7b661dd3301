import { EvidenceBook } from "../evidence-book.ts";
import type { Findings } from "../findings.ts";
import type { AnyFact } from "../telemetry-facts.ts";
import { english, type Messages } from "./messages.en.ts";
import { type ShownPath, shownPathOf } from "./shown-path.ts";
import { evidenceText } from "./support.ts";

/** A book that words its evidence by `messages`, with paths as they are shown. */
export function bookOf({ frames }: Pick<Findings, "frames">, messages: Messages = english): EvidenceBook {
  const shown = shownPathOf(frames);
  return new EvidenceBook((fact) => evidenceText(withShownPaths(fact, shown), messages));
}

function withShownPaths(fact: AnyFact, shown: ShownPath): AnyFact {
  if (fact.kind === "frame" || fact.kind === "code") {
    return { ...fact, place: { ...fact.place, file: shown(fact.place.file) } };
  }
  if (fact.kind !== "neighbour-failure" || !fact.failure.location) return fact;
  const { location } = fact.failure;
  return { ...fact, failure: { ...fact.failure, location: { ...location, file: shown(location.file) } } };
}
