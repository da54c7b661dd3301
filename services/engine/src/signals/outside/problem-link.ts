import type { OutsideProblem, OutsideSource } from "@whence/protocol";
import type { Advice, LinkWords } from "../../words/link-words.ts";
import { inlineCode } from "../../words/prose.ts";

type ReportedProblem = OutsideProblem & OutsideSource;

/** The arguments of the words for a problem. */
export interface ProblemLink {
  readonly problem: ReportedProblem;
  /** Whether it is the end of the failing process itself: the next link says what to do about that. */
  readonly isOwnExit: boolean;
}

/** The words for a problem that a connected third party reports. */
export const problemLink: LinkWords<ProblemLink> = {
  what: ({ problem: one }) => problemText(one),
  fix: ({ problem: one, isOwnExit }) => (isOwnExit ? null : problemFix(one)),
  prevent: ({ problem: one, isOwnExit }) =>
    one.what === "out-of-memory" && !isOwnExit
      ? {
          title: `Find what ${subjectText(one)} keeps in memory`,
          detail: `Take a heap snapshot early and one when memory is half full, and compare what grew. ${one.vendor} shows when it was killed.`,
        }
      : null,
  confirmedBy: ({ problem: one }) =>
    one.what === "out-of-memory"
      ? `the memory of ${subjectText(one)} reached its limit before ${one.vendor} reported the kill`
      : `the failure stops once ${one.vendor} shows ${subjectText(one)} healthy again`,
  ruledOutBy: ({ problem: one }) => `the failure continues while ${one.vendor} shows ${subjectText(one)} healthy`,
};

function problemText(one: ReportedProblem): string {
  const { what, vendor, target, title, since } = one;
  const of = subjectText(one);
  const titled = title === "" || title === target || target === null ? "" : ` (${inlineCode(title)})`;
  switch (what) {
    case "out-of-memory":
      return `${of} was killed for using too much memory at ${since}, ${vendor} reports${titled}`;
    case "restart":
      return `${of} restarted at ${since}, ${vendor} reports${titled}`;
    case "crash-loop":
      return `${of} has been restarting again and again since ${since}, ${vendor} reports${titled}`;
    case "unschedulable":
      return `${vendor} hasn't been able to schedule ${of} since ${since}${titled}`;
    case "alarm":
      return `${vendor} raised an alarm on ${of} at ${since}${titled}`;
    case "outage":
      return `${of} has been down since ${since}, ${vendor} reports${titled}`;
    case "incident":
      return `${vendor} has an incident on ${of} since ${since}${titled}`;
    case "image-pull":
      return `${vendor} hasn't been able to pull the image of ${of} since ${since}${titled}`;
    case "stopped":
      return `${of} stopped at ${since}, ${vendor} reports${titled}`;
    case "failing-requests":
      return `requests to ${of} have been failing since ${since}, ${vendor} reports${titled}`;
    case "slow-requests":
      return `requests to ${of} have been slow since ${since}, ${vendor} reports${titled}`;
    case "saturation":
      return `${of} has been saturated since ${since}, ${vendor} reports${titled}`;
    case "failed-check":
      return `a check of ${of} in ${vendor} has failed since ${since}${titled}`;
  }
}

/** Returns what it is about, by the vendor's name or title for it. */
function subjectText({ target, title }: Pick<OutsideProblem, "target" | "title">): string {
  return inlineCode(target ?? title);
}

function problemFix(one: ReportedProblem): Advice {
  const { what, vendor, since } = one;
  const of = subjectText(one);
  switch (what) {
    case "out-of-memory":
      return {
        title: `Raise the memory limit of ${of}`,
        detail: `It was killed for using too much memory at ${since}, ${vendor} reports. This buys time until what grows is found.`,
      };
    case "crash-loop":
    case "restart":
      return {
        title: `Find out why ${of} restarts`,
        detail: `Read the last output before a restart, and what changed before ${since}, the time that ${vendor} reports.`,
      };
    case "unschedulable":
      return {
        title: `Make room for ${of}`,
        detail: `Add a node, or lower what it requests: ${vendor} hasn't been able to schedule it since ${since}.`,
      };
    default:
      return {
        title: `Restore ${of} first`,
        detail: `Follow what ${vendor} shows for it since ${since}, and read its errors from that time.`,
      };
  }
}
