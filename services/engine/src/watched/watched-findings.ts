import type { Observed } from "@whence/protocol";
import type { TellingChange } from "../changes/telling-changes.ts";
import type { Findings, ParsedInput } from "../findings/findings.ts";
import type { InvestigationSubject } from "../findings/investigation-subject.ts";
import type { Traced } from "../trace/traced.ts";
import { observeFirstFailingCommit } from "./observe-first-failing-commit.ts";
import { withTried } from "./tried-verdicts.ts";
import { observeUndone, withUndone } from "./undone-change.ts";
import { verdictsOf } from "./verdicts.ts";

/** Returns what was seen in runs of a command; undefined where no one asked to see it. */
export function observedIn({ input }: InvestigationSubject): Observed | undefined {
  return input.kind === "text" ? input.observed : undefined;
}

/** Returns what runs of the failing command, or the running program, show. */
export function watchedFindingsOf(
  subject: InvestigationSubject,
  parsed: ParsedInput,
  traced: Traced,
  changes: readonly TellingChange[] | undefined,
): Pick<Findings, "verdicts" | "tried" | "observations"> {
  const { tried = [], since, undone } = observedIn(subject) ?? {};
  const { observedAt } = parsed;
  const without = undone && observeUndone(undone, traced, observedAt);
  const watched = verdictsOf(subject, parsed, traced, changes);
  const repaired = undone && without ? withUndone(watched, undone, without, traced) : watched;
  const verdicts = withTried(repaired, tried, traced, observedAt);
  return {
    ...(verdicts && { verdicts }),
    ...(tried.length > 0 && { tried }),
    observations: [...(since ? [observeFirstFailingCommit(since, traced)] : []), ...(without ? [without] : [])],
  };
}
