import type { ChosenBecause } from "../../findings/chosen-because.ts";
import { count } from "../../words/prose.ts";

/** Returns why one of several errors was investigated, as a sentence. */
export function chosenText({ reason, others, isLast }: ChosenBecause): string {
  const why = {
    "ended-process": isLast ? "it is the last one that ended the process" : "it ended the process",
    "ends-text": "nothing follows it, and no logger printed it",
    "logged-fatal": "it was logged as fatal",
    "first-own-stack": "it is the first with a stack through own code",
    "first-stack": "it is the first with a stack",
    "first-error": "it is the first that isn't a warning",
    first: "it is the first",
    "given-code": "its stack is the first that shows the given code",
    "first-that-explains": "it is the first that gives a reason",
    "first-unanswered": "it is the first that isn't only a refused request (4xx)",
  }[reason];
  return `The text has ${count(others, "more error")}. This one was chosen because ${why}.`;
}
