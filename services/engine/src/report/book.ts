import type { Findings } from "../findings/findings.ts";
import { withShownPaths } from "../signals/fact.ts";
import { EvidenceBook } from "./evidence-book.ts";
import { english, type Messages } from "./messages.en.ts";
import { shownPathOf } from "./shown-path.ts";

/** A book that words its evidence by `messages`, with paths as they are shown. */
export function bookOf({ frames }: Pick<Findings, "frames">, messages: Messages = english): EvidenceBook {
  const shown = shownPathOf(frames);
  return new EvidenceBook((fact) => messages.evidence(withShownPaths(fact, shown)));
}
