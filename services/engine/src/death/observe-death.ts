import type { SilencedProcess, SilentDeath, VitalReading } from "@whence/protocol";
import type { Observation } from "../findings.ts";
import { observeData } from "../observe.ts";
import { inlineCode } from "../prose.ts";
import { bytesText, secondsText } from "./assess.ts";

const name = "heartbeats";
const source = { kind: "telemetry", name } as const;
/** Shown of one process, the last ones. */
const readingsShownMax = 12;
const breadcrumbsShownMax = 10;

/** What is known of one process that fell silent, each thing once. */
export interface ObservedProcess {
  readonly process: SilencedProcess;
  /** That it was heard, and then no more. */
  readonly silence: Observation;
  /** Oldest first. */
  readonly readings: readonly Observation[];
  /** What it did last. */
  readonly breadcrumbs: readonly Observation[];
  /** Where its main thread stood. */
  readonly stack: Observation | null;
}

/** Everything that is known of a process, as evidence. */
export function observeProcess(process: SilencedProcess, { noticedAt, kind }: SilentDeath): ObservedProcess {
  const { readings, breadcrumbs, mainThreadStack } = process;
  return {
    process,
    silence: observeSilence(process, noticedAt, kind === "hung"),
    readings: readings.slice(-readingsShownMax).map((reading) => observeReading(process, reading)),
    breadcrumbs: breadcrumbs.slice(-breadcrumbsShownMax).map((breadcrumb) =>
      observeData(
        source,
        { instance: process.instance, ...breadcrumb },
        {
          observed_at: breadcrumb.at,
          summary: `${breadcrumb.category === "http" ? "" : `${breadcrumb.category} `}${inlineCode(breadcrumb.message)}${beforeText(process, breadcrumb.at)}`,
        },
      ),
    ),
    stack: mainThreadStack === "" ? null : observeStack(process),
  };
}

/** The name of a process in a sentence. */
export function processText({ service, pid, host }: SilencedProcess): string {
  return `${inlineCode(service)} (${pid === 0 ? "a process" : `process ${pid}`} on ${inlineCode(host)})`;
}

function observeSilence(process: SilencedProcess, noticedAt: string, isHung: boolean): Observation {
  const { readings: _, breadcrumbs: __, mainThreadStack: ___, ...facts } = process;
  const summary = isHung
    ? `${processText(process)} stood still when it was looked at, at ${noticedAt}`
    : `${processText(process)} was heard last at ${process.lastHeardAt}, sent no exit and no fatal exception, and was silent until ${noticedAt}`;
  return observeData(source, { ...facts, noticed_at: noticedAt }, { observed_at: process.lastHeardAt, summary });
}

/** How long before its last word, both by its own clock; nothing when that is not known. */
function beforeText({ lastSaidAt }: SilencedProcess, at: string): string {
  const ms = Date.parse(lastSaidAt) - Date.parse(at);
  return ms >= 0 ? `, ${secondsText(ms)} before its last word` : "";
}

function observeReading({ instance }: SilencedProcess, reading: VitalReading): Observation {
  return observeData(source, { instance, ...reading }, { observed_at: reading.at, summary: readingText(reading) });
}

function readingText(reading: VitalReading): string {
  const { heapUsedBytes, heapLimitBytes, rssBytes, memoryLimitBytes, eventLoopDelayMs, mainThreadBlockedMs } = reading;
  const { requests, failedRequests } = reading;
  const says = [
    ...(mainThreadBlockedMs === null ? [] : [`main thread blocked for ${secondsText(mainThreadBlockedMs)}`]),
    ...(heapUsedBytes === null ? [] : [`heap ${bytesText(heapUsedBytes)} of ${bytesText(heapLimitBytes)}`]),
    ...(rssBytes === null ? [] : [`process ${bytesText(rssBytes)}`]),
    ...(memoryLimitBytes === null ? [] : [`container limit ${bytesText(memoryLimitBytes)}`]),
    ...(eventLoopDelayMs === null ? [] : [`event loop ${Math.round(eventLoopDelayMs)} ms late`]),
    ...(requests === null ? [] : [`${requests} requests answered, ${failedRequests ?? 0} failed`]),
  ];
  return says.length === 0 ? "heartbeat without readings" : `heartbeat: ${says.join(", ")}`;
}

function observeStack(process: SilencedProcess): Observation {
  const at = process.readings.at(-1)?.at ?? process.lastHeardAt;
  const place = stackPlace(process.mainThreadStack);
  return {
    ...observeData(source, process.mainThreadStack, {
      observed_at: at,
      summary: `the main thread stood in ${inlineCode(process.mainThreadStack.split("\n", 1)[0] ?? "")}`,
    }),
    location: place,
  };
}

/** `    at name (file:line:column)`, or without a name and parentheses. */
const printedFrame = /^\s*at (?:([^(\n]{1,300}) \()?([^\n()]{1,2000}?):(\d{1,9})(?::\d{1,9})?\)?$/;

/** The first place of a stack that is no part of the runtime or of an installed package. */
export function stackPlace(stack: string): { file: string; line: number; function: string | null } | null {
  for (const line of stack.split("\n")) {
    const [, name, file, number] = printedFrame.exec(line) ?? [];
    if (file === undefined || /^node:|[\\/]node_modules[\\/]/.test(file)) continue;
    return { file, line: Math.max(Number(number), 1), function: name ?? null };
  }
  return null;
}
