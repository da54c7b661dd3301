import type { Findings } from "../findings/findings.ts";
import { withShownPaths } from "../signals/fact.ts";
import { EvidenceBook } from "./evidence-book.ts";
import { english, type Messages } from "./messages.en.ts";
import { shownPathOf } from "./shown-path.ts";

/** Creates a book that words its evidence with `messages` and shortens paths for display. */
export function bookOf({ frames }: Pick<Findings, "frames">, messages: Messages = english): EvidenceBook {
  const shown = shownPathOf(frames);
  return new EvidenceBook((fact) => messages.evidence(withShownPaths(fact, shown)));
}
