import type { ExitedProcess, ProcessExit, VitalReading } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { observeData } from "../findings/observe-input.ts";
import { tellingProcess } from "./assess.ts";

const source = { kind: "telemetry", name: "heartbeats" } as const;
/** How many readings of one process are shown, the last ones. */
const readingsShownMax = 12;
const activitiesShownMax = 10;

/**
 * Returns the evidence in an exit: the last heartbeat of each process, and what the most telling one reported earlier.
 */
export function observeExit(exit: ProcessExit): Observation[] {
  const { noticedAt, kind, processes } = exit;
  const process = tellingProcess(exit);
  return [
    ...processes.map((one) => observeLastHeartbeat(one, noticedAt, kind === "hung")),
    ...(process ? observeProcess(process) : []),
  ];
}

/** Returns its readings and last activity, oldest first, and where its main thread was blocked. */
function observeProcess(process: ExitedProcess): Observation[] {
  const { instance, readings, breadcrumbs, mainThreadStack } = process;
  return [
    ...readings.slice(-readingsShownMax).map((reading) => observeReading(instance, reading)),
    ...breadcrumbs.slice(-activitiesShownMax).map((one) => observeActivity(process, one)),
    ...(mainThreadStack === "" ? [] : [observeStack(process)]),
  ];
}

function observeLastHeartbeat(process: ExitedProcess, noticedAt: string, isHung: boolean): Observation {
  const { readings: _, breadcrumbs: __, mainThreadStack: ___, ...data } = process;
  const { service, host, instance, pid, firstSeenAt: firstAt, lastSeenAt: lastAt } = process;
  const lastHeartbeat = { service, host, instance, pid, firstAt, lastAt, noticedAt, isHung };
  return observeData(
    source,
    { ...data, noticed_at: noticedAt },
    { observed_at: lastAt, fact: { kind: "last-heartbeat", lastHeartbeat } },
  );
}

function observeReading(instance: string, reading: VitalReading): Observation {
  const fact = { kind: "vital-signs", instance, reading } as const;
  return observeData(source, { instance, ...reading }, { observed_at: reading.at, fact });
}

function observeActivity(
  { instance, lastSentAt }: ExitedProcess,
  { at, category, message }: ExitedProcess["breadcrumbs"][number],
): Observation {
  const ms = Date.parse(lastSentAt) - Date.parse(at);
  const activity = { instance, at, category, message, beforeLastMs: ms >= 0 ? ms : null };
  return observeData(
    source,
    { ...activity, lastSentAt },
    { observed_at: at, fact: { kind: "last-activity", activity } },
  );
}

function observeStack({ instance, mainThreadStack, readings, lastSeenAt }: ExitedProcess): Observation {
  const location = stackPlace(mainThreadStack);
  const [top = ""] = mainThreadStack.split("\n", 1);
  const fact = { kind: "main-thread", instance, top: top.trim(), location } as const;
  const observed_at = readings.at(-1)?.at ?? lastSeenAt;
  return { ...observeData(source, mainThreadStack, { observed_at, fact }), location };
}

/** `    at name (file:line:column)`, or without a name and parentheses. */
const printedFrame = /^\s*at (?:([^(\n]{1,300}) \()?([^\n()]{1,2000}?):(\d{1,9})(?::\d{1,9})?\)?$/;

/** Returns the first place of a stack that is neither in the runtime nor in an installed package. */
function stackPlace(stack: string): { file: string; line: number; function: string | null } | null {
  for (const line of stack.split("\n")) {
    const [, name, file, number] = printedFrame.exec(line) ?? [];
    if (file === undefined || /^node:|[\\/]node_modules[\\/]/.test(file)) continue;
    return { file, line: Math.max(Number(number), 1), function: name ?? null };
  }
  return null;
}
