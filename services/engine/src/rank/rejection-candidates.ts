import type { Findings, Ranked } from "../findings.ts";
import { firstLine, observeCode, observeException, observeFrame, observeMechanism } from "../observe.ts";
import { inlineCode, placeText } from "../prose.ts";
import { isUnhandledRejection } from "./category.ts";
import { weights } from "./weights.ts";

/** A rejection that nobody handled, at the function that rejected: its caller is not on the stack, being gone. */
export function rejectionCandidates(findings: Findings): Ranked[] {
  if (!isUnhandledRejection(findings)) return [];
  const { error, event, frames } = findings;
  const head = error.exceptions[error.chain[0] ?? -1];
  const cause = error.exceptions[error.chain.at(-1) ?? -1];
  const own = frames.find(({ frame }) => frame.origin === "app");
  // With the call in sight it is the call that has to change.
  const isSeen = findings.clues.some(
    ({ kind, says }) => kind === "unawaited-call" && says.startsWith("nothing awaits"),
  );
  if (!head || !own || isSeen) return [];
  const location = { file: own.file, line: own.frame.line, function: own.place?.function ?? own.frame.function };
  const because =
    cause && cause !== head ? `, caused by ${inlineCode(`${cause.type}: ${firstLine(cause.message)}`)}` : "";
  const evidence = [
    observeException(findings, head),
    observeFrame(findings, own),
    own.place ? observeCode(findings, own.place) : null,
    event ? observeMechanism(event) : null,
    cause && cause !== head ? observeException(findings, cause) : null,
  ].filter((one) => one !== null);
  const hasCaller = frames.some(({ frame, index }) => frame.origin === "app" && index > own.index);
  return [
    {
      category: "unhandled-rejection",
      statement: `${placeText(location)} rejected${because}, and nothing awaits it or handles the rejection.`,
      location,
      place: own.place,
      score: weights.unhandledRejection,
      reason: "a rejection that nobody handled",
      evidence,
      support: hasCaller
        ? ["the rejection was not handled"]
        : ["the rejection was not handled", "the stack ends here: no caller waits for it"],
      against: ["the call that lacks the await is not in the code that was given"],
      subject: location.function,
      clue: null,
    },
  ];
}
