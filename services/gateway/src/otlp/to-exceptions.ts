import { type Exception, limits } from "@whence/protocol";
import { cutText } from "../mapping/bounded-data.ts";
import type { Attributes } from "./any-value.ts";
import { textOf } from "./attribute.ts";
import { withoutRecording } from "./go-stack.ts";
import { printedChain } from "./printed-chain.ts";

/** Characters of a printed stack, with its causes, that are read. */
const printedLengthMax = 4 * limits.stackLengthMax;

/** An error that a span or a log record names, and its causes, outermost first. */
export interface RecordedError {
  readonly exceptions: readonly Exception[];
  /**
   * What tells two records of one error in a trace from two errors: the last part of its type, and its innermost call or
   * else its message. Python's SDK writes types and messages on spans otherwise than in log records.
   */
  readonly identity: string;
}

/**
 * Returns the error that attributes describe (semantic conventions for exceptions); undefined when they name neither a
 * type nor a message. Its calls are read from its stack where it is investigated, in the language of its runtime.
 */
export function recordedError(attributes: Attributes): RecordedError | undefined {
  const type = textOf(attributes, "exception.type");
  const message = textOf(attributes, "exception.message");
  if (type === undefined && message === undefined) return undefined;
  const printed = textOf(attributes, "exception.stacktrace") ?? "";
  const [own, ...causes] = printedChain(withoutRecording(printed.slice(0, printedLengthMax)));
  const all = [{ type: type ?? "Error", message: message ?? "", stack: own }, ...causes];
  return {
    exceptions: all.slice(0, limits.exceptionsMax).map((error, index) => ({
      type: cutText(error.type, limits.textLengthMax),
      message: cutText(error.message, limits.messageLengthMax),
      stack: cutText(error.stack, limits.stackLengthMax),
      ...(index > 0 && { parent: index - 1 }),
    })),
    identity: JSON.stringify([type?.split(".").at(-1), innermostCall(own) || message]),
  };
}

const pythonCall = /^ {2}File "/;
const call = /^\s+(?:at |from )|^#0 |^\t\S+\.go:\d/;

/** A stack that is printed at an outer call has more lines, but the same innermost call. */
function innermostCall(stack: string): string {
  const lines = stack.split("\n");
  return (lines.findLast((line) => pythonCall.test(line)) ?? lines.find((line) => call.test(line)) ?? "").trim();
}
