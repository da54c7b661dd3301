import { type Action, doNow, type Report } from "@whence/protocol";
import { solutionText } from "@whence/vendors";
import { facts, paragraph, steps } from "../message-parts.ts";
import type { Answer } from "./answer.ts";
import { changesIn } from "./changes-in.ts";
import type { Question } from "./question.ts";
import { quotesOf } from "./quotes.ts";
import { termsOf } from "./terms.ts";

/** As the spellings of terms write "roll back" and "rolling it back". */
const names: ReadonlySet<string> = new Set(["rollback", "revert", "reverting"]);

/** Words that open a yes-or-no question. */
const asking: ReadonlySet<string> = new Set(
  "should shall can could must may do does did would will is are need worth".split(" "),
);
/** Words of someone who won't go back, can't, or has. */
const ruledOut: ReadonlySet<string> = new Set(["not", "without", "already", "never", "cannot"]);

/** Returns whether a question asks whether to go back to an earlier release. */
export function asksForRollback({ text }: Question): boolean {
  const words = termsOf(text).map(({ whole }) => whole);
  const at = words.findIndex((word) => names.has(word));
  if (at < 0 || words.some((word) => ruledOut.has(word))) return false;
  return at === 0 || words.slice(0, at).some((word) => asking.has(word));
}

/**
 * Answers whether to roll back: yes or likely yes, to which release, and how, where a solution of the report does;
 * otherwise why the report doesn't suggest it.
 */
export function rollbackAnswer(report: Report, question: Question): Answer {
  const actions = doNow(report);
  const back = actions.find((action) => action.rolls_back !== undefined);
  const others = actions.filter((action) => action !== back).map(solutionText);
  if (!back?.rolls_back) return noRollback(report, question, others);
  const { service, to, is_likely: isLikely } = back.rolls_back;
  const suggested = `the report suggests going back to ${to} of ${service}`;
  return {
    headline: isLikely ? `Likely yes: ${suggested}, which likely stops it.` : `Yes: ${suggested}.`,
    parts: [
      ...paragraph(null, solutionText(back)),
      ...facts(waysTo(back)),
      ...steps("Also", others),
      ...quotesOf(report, back.evidence_ids, 1),
    ],
  };
}

function waysTo({ command, link }: Action): readonly string[] {
  return [
    ...(command ? [`${command.label}: ${command.line}`] : []),
    ...(link ? [`In ${link.vendor}: ${link.url}`] : []),
  ];
}

function noRollback(report: Report, question: Question, others: readonly string[]): Answer {
  const changed = changesIn(report, question)?.headline;
  const isCause = report.chain.some(({ what }) => what === changed);
  return {
    headline: isCause
      ? "The report doesn't suggest it: a change is part of the cause, but going back isn't known to undo it."
      : "No: the report doesn't name a release as the cause, so going back isn't known to help.",
    parts: [...paragraph("The cause", report.root_cause_summary), ...steps("What the report suggests instead", others)],
  };
}
