import { isDeepStrictEqual } from "node:util";
import type { TelemetryEvent } from "@whence/protocol";
import { type Fact, type MatrixProgram, orderIds, stock, stockFile, version } from "./matrix-program.ts";
import type { Behavior, Run } from "./run-program.ts";

/** The result of one program in one mode; undefined for what doesn't apply, such as a route where there is none. */
export type Findings = Readonly<Record<Fact, boolean | undefined>>;

/** Evaluates what arrived of the two orders: a fact holds only if it holds for both. */
export function findingsOf(program: MatrixProgram, { batches }: Run): Findings {
  const judged = orderIds.map((id) => judgeOrder(program, id, eventsOf(id, batches)));
  const both = (fact: keyof OrderFindings): boolean | undefined => {
    const values = judged.map((findings) => findings[fact]);
    return values.includes(undefined) ? undefined : values.every((value) => value === true);
  };
  return {
    error: both("error"),
    request: both("request"),
    route: both("route"),
    breadcrumbs: both("breadcrumbs"),
    frames: both("frames"),
    release: hasRelease(program, batches),
  };
}

function hasRelease(
  { name, release = `matrix-${name}@${version}` }: MatrixProgram,
  batches: Run["batches"],
): boolean | undefined {
  return batches.length === 0 ? undefined : batches.every((batch) => batch.release === release);
}

type OrderFindings = Omit<Findings, "release">;

function judgeOrder(program: MatrixProgram, id: string, events: readonly TelemetryEvent[]): OrderFindings {
  const { trigger } = program;
  const [event] = events;
  const error = events.length === 1;
  const unknown = { request: undefined, route: undefined, breadcrumbs: undefined, frames: undefined };
  if (event === undefined) return { error, ...unknown };
  const breadcrumbs = isDeepStrictEqual(ordersIn(event), [`order ${id}`]);
  const frames = isFromInjectedLine(program, id, event);
  if (trigger.kind === "other") return { error, ...unknown, breadcrumbs, frames };
  const { method, path, route } = event.request ?? {};
  const request = method === trigger.method && path === trigger.path(id).split("?")[0];
  return {
    error,
    request,
    route: trigger.route === undefined ? undefined : route === trigger.route,
    breadcrumbs,
    frames,
  };
}

/** Returns each event once: events in flight when the program ended are sent again. */
function eventsOf(id: string, batches: Run["batches"]): TelemetryEvent[] {
  const events = batches.flatMap((batch) => batch.events).filter((event) => isErrorOf(id, event));
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

function isErrorOf(id: string, { type, level, message }: TelemetryEvent): boolean {
  return type !== "heartbeat" && (level === "error" || level === "critical") && message.includes(`no stock of ${id}`);
}

function ordersIn({ breadcrumbs = [] }: TelemetryEvent): string[] {
  return breadcrumbs.flatMap(({ message = "" }) => (/^order \d+$/.test(message) ? [message] : []));
}

/** Whether the innermost own frame of the injected error is at the line that threw it. */
function isFromInjectedLine(
  { failingFile = stockFile, files }: MatrixProgram,
  id: string,
  event: TelemetryEvent,
): boolean {
  const text = files[failingFile] ?? stock;
  const injectedLine = text.split("\n").findIndex((line) => line.includes("// injected")) + 1;
  const thrown = event.exceptions?.find(({ message }) => message === `no stock of ${id}`);
  const own = thrown?.frames?.find((frame) => frame.in_app === true);
  return own?.file?.endsWith(`/${failingFile}`) === true && own.line === injectedLine;
}

/**
 * Whether the program's behavior and output are the same as without the client. If the client is in its code, its
 * functions appear in printed stacks, and shift bundled code; then, only frames of the program's own files are
 * compared.
 */
export function isSameBehavior(watched: Behavior, bare: Behavior, isCoded: boolean): boolean {
  const compared = (behavior: Behavior): Behavior => (isCoded ? withOwnFrames(behavior) : behavior);
  return isDeepStrictEqual(compared(watched), compared(bare));
}

/** Matches a foreign frame on its own line, or in an error page. */
const foreignFrame = /(^ +|<br> &nbsp; &nbsp;)at [^<]*?(node_modules|node:|\/dist\/|[/(]\.(output|next)\/)[^<]*/gm;

function withOwnFrames(behavior: Behavior): Behavior {
  const own = (lines: readonly string[]): string[] =>
    lines.map((line) => line.replaceAll(foreignFrame, "")).filter(Boolean);
  const answers = behavior.answers.map((answer) => own(answer.split("\n")).join("\n"));
  return { ...behavior, answers, stdout: own(behavior.stdout), stderr: own(behavior.stderr) };
}
