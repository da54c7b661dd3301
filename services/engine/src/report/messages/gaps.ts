import type { ChosenBecause, ForgerySign, Gap, NamedError } from "../../findings/gaps.ts";
import { gatherLimits } from "../../findings/gather-limits.ts";
import type { TableOf } from "../../findings/kinds.ts";
import { capital, count, duration, inlineCode } from "../../words/prose.ts";

type GapOf<K extends Gap["kind"]> = Extract<Gap, { readonly kind: K }>;

const filesShownMax = 5;
const errorsShownMax = 3;

const notRead: Readonly<Record<GapOf<"files-not-read">["why"], string>> = {
  absent: "not in the configured source",
  "too-large": `larger than ${gatherLimits.fileBytesMax / 1_000} kB`,
  "not-text": "not a text file",
  "other-version": "differs from the version that ran",
  "no-room": `over the limit of ${gatherLimits.filesMax} files and ${gatherLimits.bytesMax / 1_000_000} MB`,
};

const forgeryReasons: Readonly<Record<ForgerySign, string>> = {
  "stack-in-message": "some of its stack frames may come from its message",
  "long-stack": "its stack has more than the 10 frames that V8 prints unless `Error.stackTraceLimit` is raised",
  "repeated-key": "a JSON key is repeated with a different value",
  "terminal-control": "control characters move the cursor or erase text",
  "logged-value": "it appears only inside a logged value",
};

/** What wasn't checked, and why. */
export const gaps: TableOf<Gap, string> = {
  "collector-too-slow": ({ collector, afterMs }) => `${capital(collector)}: no answer within ${waited(afterMs)}.`,
  "collector-failed": ({ collector, error, isPartial }) => {
    const asked = isPartial ? `${collector}, in part` : collector;
    const said = error.startsWith(`${collector} `) ? error.slice(collector.length + 1) : null;
    return said !== null && plainWords.test(said)
      ? `${asked}: it ${said}.`
      : `${capital(asked)}: failed with ${inlineCode(error)}.`;
  },
  "code-left-out": ({ files, portion, why }) => {
    const shown = files.slice(0, filesShownMax).map(inlineCode).join(", ");
    const more = files.length > filesShownMax ? ` and ${files.length - filesShownMax} more` : "";
    const read =
      portion === "around-the-stack"
        ? "read only around the lines of the stack"
        : "only searched for the values of the error";
    return `Source: ${shown}${more} ${files.length === 1 ? "was" : "were"} ${read}, because ${reasons[why]}.`;
  },
  "files-not-read": ({ files, why }) => {
    const shown = files.slice(0, filesShownMax).map(inlineCode).join(", ");
    const more = files.length > filesShownMax ? ` and ${files.length - filesShownMax} more` : "";
    return `Source: ${shown}${more} ${files.length === 1 ? "wasn't" : "weren't"} read: ${notRead[why]}.`;
  },
  "stopped-early": ({ textUnitsRead }) => {
    const text = textUnitsRead === null ? "" : ` Only the first ${textUnitsRead} characters of the text were read.`;
    return `Source: skipped. The investigation stopped early, because reading took too much time or memory.${text}`;
  },
  "alert-alone": ({ system }) => `The error behind the alert: ${system} sent the alert without it.`,
  "unknown-format": () => "Stack: none in a known format. The text was read line by line.",
  "no-stack": () => "Stack: the error came without one.",
  "long-lines": ({ lines, unitsRead }) =>
    `Text: only the first ${unitsRead} characters of ${count(lines, "long line")} were read.`,
  "cut-records": ({ records }) =>
    `Text: ${count(records, "JSON record")} ${records === 1 ? "was" : "were"} cut off and read only up to that point.`,
  "errors-left-out": ({ errors }) => `Text: ${count(errors, "more error")} not read.`,
  "rival-errors": ({ errors }) =>
    `Other errors: ${errorList(errors)} ${errors.length === 1 ? "wasn't" : "weren't"} followed.`,
  "errors-in-values": ({ errors }) =>
    `Logged values: ${errorList(errors)} ${errors.length === 1 ? "was" : "were"} read as input.`,
  "forgeable-text": ({ signs }) =>
    `Authenticity: input quoted in the text may have shaped this error. ${capital(listed(signs.map((sign) => forgeryReasons[sign])))}.`,
  "causes-left-out": ({ causes }) => `Text: ${count(causes, "cause")} in the middle of the chain not read.`,
  "records-left-out": ({ records }) => `Text: ${count(records, "more log line")} not read.`,
  "message-only": () => "Stack: the event has a message and no exception.",
  "no-telemetry": () =>
    "Telemetry: the text belongs to no service, so frequency, first occurrence, and other services are unknown.",
  "no-service": () =>
    "Telemetry and integrations: the text names no service that Whence knows, so nothing was asked about it.",
  "not-in-telemetry": ({ service }) =>
    `Telemetry: ${inlineCode(service)} sends none to Whence, so its failures, processes, and requests are unknown.`,
  "no-event": ({ service }) =>
    `The error: ${inlineCode(service)} reported no failure in the minutes before, so only what happened around it is known.`,
  "no-files": () => "Source: no files were attached.",
  "frames-without-text": ({ frames, of }) => `Source: missing for ${frames} of ${count(of, "own-code frame")}.`,
  "no-own-frame": () => "Own code: the stack has no frame in it.",
  machine: ({ isKubernetesConnected }) =>
    isKubernetesConnected
      ? "The machine: its kernel log and the exit code show how the process ended."
      : "The machine: its kernel log, orchestrator, and the exit code show how the process ended. There is no Kubernetes connection to ask.",
  "process-output": ({ areLogsConnected }) =>
    `Process output: \`kubectl logs --previous\`, \`docker logs\`, or \`journalctl\` shows the last lines before the exit.${areLogsConnected ? "" : " There is no log integration to ask."}`,
  "network-not-connected": ({ host }) =>
    `DNS and firewall: no network integration is connected that would know of changes for ${inlineCode(host)}.`,
  "deployments-not-connected": ({ service }) =>
    `Deployments: the telemetry of ${inlineCode(service)} names no release, and no hosting or code integration is connected.`,
  "planned-runs": () => "Scheduled jobs: a job that exits without closing its client looks the same.",
  "no-last-activity": () => "Last activity: no heartbeat carried breadcrumbs.",
  "no-heartbeats": ({ processes }) =>
    `Heartbeats: none kept of ${count(processes, "process", "processes")}, so memory and event loop are unknown.`,
};

/** What an integration says of itself behind its name; anything with marks of its own is shown as code. */
const plainWords = /^[\w (),:;'’-]{1,200}$/;

function waited(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : duration(ms);
}

const reasons = {
  "too-long": "it is too long",
  generated: "it looks generated",
  "enough-read": "files nearer to the stack used up the reading budget",
  "nested-too-deeply": "it couldn't be parsed",
} as const;

function errorList(errors: readonly NamedError[]): string {
  const shown = errors
    .slice(0, errorsShownMax)
    .map(({ type, place }) => (place === null ? inlineCode(type) : `${inlineCode(type)} at ${inlineCode(place)}`));
  return errors.length > errorsShownMax
    ? `${shown.join(", ")}, and ${errors.length - errorsShownMax} more`
    : listed(shown);
}

function listed(shown: readonly string[]): string {
  return [shown.slice(0, -1).join(", "), shown.at(-1) ?? ""].filter((part) => part !== "").join(" and ");
}

/** Why one error of several was investigated, as a sentence. */
export function chosenText({ reason, others, isLast }: ChosenBecause): string {
  const why = {
    "ended-process": isLast ? "it is the last one that ended the process" : "it ended the process",
    "ends-text": "nothing follows it, and no logger printed it",
    "logged-fatal": "it was logged as fatal",
    "first-own-stack": "it is the first with a stack through own code",
    "first-stack": "it is the first with a stack",
    "first-error": "it is the first that isn't a warning",
    first: "it is the first",
    "first-that-explains": "it is the first that gives a reason",
  }[reason];
  return `The text has ${count(others, "more error")}. This one was chosen because ${why}.`;
}
