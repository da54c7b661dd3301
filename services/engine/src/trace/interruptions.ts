import type { ParsedException } from "../findings/parsed-error.ts";

/** What a watch reports with the stack of a thread that has been busy for too long. */
const reported =
  /^(?:ApplicationNotResponding|ANR|ERR_SCRIPT_EXECUTION_TIMEOUT)\b|Application Not Responding|Script execution timed out|(?:event loop|main thread) (?:has been |was |is )?blocked/i;
/** What ends Python code from a signal: a time limit of a worker or a test, or a person. */
const raised =
  /(?:^|\.)(?:SystemExit|KeyboardInterrupt|(?:Soft)?TimeLimitExceeded|TimeoutError|TimeoutException|Timeout|Failed)$/;

/** Returns whether an error has the stack of code that was busy for too long, rather than of code that failed. */
export function isInterruption({ type, message, language }: ParsedException): boolean {
  return reported.test(`${type}: ${message}`) || (language === "python" && raised.test(type));
}
