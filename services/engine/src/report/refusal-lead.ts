import type { Link } from "./link.ts";
import { isInstalledPlace } from "./nouns.ts";
import { ownCaller } from "./own-caller.ts";
import type { ReportInput } from "./report-input.ts";
import { meaningOf, startsOf } from "./unknown-lead.ts";

/**
 * Returns what a known failure means that an installed package reports, and the own call that led to it: where the
 * package throws isn't what is wrong.
 */
export function refusalLead(
  origin: Link,
  chain: readonly Link[],
  { findings, messages, shown }: Pick<ReportInput, "findings" | "messages" | "shown">,
): readonly string[] {
  if (origin.kind !== "code" || origin.args.signal.kind !== "deliberate-throw") return [];
  if (!isInstalledPlace(origin.args.signal.subject.file, findings.frames, findings.files)) return [];
  const meaning = meaningOf(findings);
  const [match] = findings.signatures;
  if (meaning === null || !match) return [];
  if (ownCaller(origin, findings))
    return [...startsOf(chain, findings, messages, shown).map((start) => `${meaning} ${start}`), meaning];
  // A meaning that fits any error of a kind says less than the error.
  return Object.keys(match.groups).length > 0 ? [meaning] : [];
}
