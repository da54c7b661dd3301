import type { Findings, Observation } from "../findings.ts";
import { logStoryOf } from "../log-story.ts";
import { firstLine, observeRecord } from "../observe.ts";
import { inlineCode } from "../prose.ts";
import type { AnyFact } from "../telemetry-facts.ts";

/** What the log says that agrees with a cause. */
export interface LogSupport {
  readonly support: readonly string[];
  readonly evidence: readonly Observation<AnyFact>[];
}

const warningsMax = 2;
const textUnitsMax = 1_000;
/** Words of every other log line. */
const common: ReadonlySet<string> = new Set(
  "error errors warn warning failed failure while with from this that have when after before into could cannot request response undefined null true false".split(
    " ",
  ),
);

/** Warnings before the error that speak of the same: they share a telling word with what it says. */
export function logSupport(findings: Findings, subject: string | null): LogSupport {
  const { error } = findings;
  const chain = error.chain.flatMap((index) => error.exceptions[index] ?? []);
  const known = findings.signatures[0]?.signature.meaning ?? "";
  const said = [subject ?? "", known, ...chain.flatMap(({ type, message }) => [type, message])].join(" ");
  const words = wordsOf(said);
  const related = logStoryOf(findings).warnings.filter(({ first }) =>
    wordsOf(first.message).some((word) => words.includes(word)),
  );
  const told = related.slice(-warningsMax).map(({ first }) => first);
  return {
    support: told.map(({ message }) => inlineCode(firstLine(message))),
    evidence: told.map((record) => observeRecord(findings, record)),
  };
}

/** Without an `s` at the end: connections are connections. */
function wordsOf(text: string): string[] {
  const words: readonly string[] =
    text
      .slice(0, textUnitsMax)
      .toLowerCase()
      .match(/[a-z][a-z-]{3,40}/g) ?? [];
  return words.filter((word) => !common.has(word)).map((word) => word.replace(/s$/, ""));
}
