import type { Report } from "./report.ts";

/** The number of texts that a new report is compared with. */
const textsMax = 20;
/** A shorter message may be part of a text by chance. */
const tellingCharactersMin = 8;

/** The newest failures printed without a stack; the stack of the same failure may follow. */
export class RecentTexts {
  readonly #reports: { readonly report: Report; readonly text: string }[] = [];

  add(text: string, report: Report): void {
    if (this.#reports.length === textsMax) this.#reports.shift();
    this.#reports.push({ report, text });
  }

  remove(eventId: string): void {
    const index = this.#reports.findIndex(({ report }) => report.eventId === eventId);
    if (index !== -1) this.#reports.splice(index, 1);
  }

  /** Returns the newest report that mentions the error whose printed stack begins with `header`. */
  find(header: string, isRecent: (report: Report) => boolean): Report | undefined {
    return this.#reports.findLast(({ report, text }) => isRecent(report) && mentions(text, header))?.report;
  }
}

/** Whether a text contains an error's message, alone or among other words. */
export function mentions(text: string, header: string): boolean {
  const colon = header.indexOf(": ");
  const message = colon === -1 ? "" : header.slice(colon + 2);
  if (text === "" || message === "") return false;
  return text === header || text === message || (message.length >= tellingCharactersMin && text.includes(message));
}
