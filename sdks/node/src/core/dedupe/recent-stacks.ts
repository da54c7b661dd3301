import { isNativeError } from "node:util/types";
import type { Stack } from "../stack.ts";
import { mentions } from "./recent-texts.ts";
import type { Report } from "./report.ts";

interface StackReport {
  readonly report: Report;
  readonly stack: Stack;
  /** Whether the stack belongs to an error object, rather than to its printed or serialized form. */
  readonly isOriginal: boolean;
}

/** The number of stacks that a new report is compared with. */
const stacksMax = 20;

/** The stacks of the newest reports, for matching errors that are logged as text. */
export class RecentStacks {
  readonly #reports: StackReport[] = [];

  add(stack: Stack, error: unknown, report: Report): void {
    if (stack.calls.text === "") return;
    if (this.#reports.length === stacksMax) this.#reports.shift();
    this.#reports.push({ report, stack, isOriginal: isNativeError(error) });
  }

  remove(eventId: string): void {
    const index = this.#reports.findIndex(({ report }) => report.eventId === eventId);
    if (index !== -1) this.#reports.splice(index, 1);
  }

  /** Returns the newest report of an error whose message is in a text. */
  findMentioned(text: string, isRecent: (report: Report) => boolean): Report | undefined {
    return this.#reports.findLast(({ report, stack }) => isRecent(report) && mentions(text, stack.header))?.report;
  }

  /** Returns the newest matching report. Two error objects never match: even with equal stacks they are two errors. */
  find(stack: Stack, error: unknown, isRecent: (report: Report) => boolean): Report | undefined {
    if (stack.calls.text === "") return undefined;
    const isOriginal = isNativeError(error);
    return this.#reports.findLast(
      (known) =>
        isRecent(known.report) &&
        !(isOriginal && known.isOriginal) &&
        known.stack.calls.text === stack.calls.text &&
        known.stack.header === stack.header,
    )?.report;
  }
}
