import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { TelemetryEvent } from "@whence/protocol";
import * as sdkLimits from "../src/sdk-limits.ts";
import type { EquivalenceCase } from "./equivalence-cases.ts";
import { begin, type Ending, run, runTimed, type Start } from "./equivalence-programs.ts";
import type { TestGateway } from "./gateway.ts";
import { eventually } from "./polling.ts";
import { type Runtime, runtimes } from "./runtimes.ts";

/** One way of starting a program: on which Node, in which module format, with the client in it or preloaded. */
interface Way {
  readonly runtime: Runtime;
  readonly format: "CommonJS" | "ES modules";
  readonly isPreloaded: boolean;
}

/** The results of one program with and without the client. */
export interface Comparison {
  readonly runtime: Runtime;
  /** The name of the way, for messages. */
  readonly name: string;
  readonly without: Ending;
  readonly watched: Ending;
  readonly reported: readonly string[];
  readonly expected: readonly string[];
  /** Whether the program used up the time that a dying process has for sending. */
  readonly usedItsTime: boolean;
}

/** On a busy machine, a dying program's time may be over before the sending thread has started. */
const runsMax = 3;

/** Runs a case in all ways, one after another. */
export async function compareInAllWays(
  given: EquivalenceCase,
  folder: string,
  gateway: TestGateway,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const way of waysOf(given)) comparisons.push(await compareInTime(given, way, folder, gateway));
  return comparisons;
}

/** Retries only a missing report for lack of time: how a program ends must be right every time. */
async function compareInTime(
  given: EquivalenceCase,
  way: Way,
  folder: string,
  gateway: TestGateway,
): Promise<Comparison> {
  for (let left = runsMax - 1; ; left--) {
    const comparison = await compare(given, way, folder, gateway);
    const { without, watched, reported, expected, usedItsTime } = comparison;
    const isLate = usedItsTime && reported.length < expected.length && isDeepStrictEqual(watched, without);
    if (left === 0 || !isLate) return comparison;
  }
}

/** Both formats on the newest Node and for basic cases; otherwise one of them, alternating. */
function waysOf({ file, isBasic, isPreloaded }: EquivalenceCase): Way[] {
  return runtimes.flatMap((runtime, index) => {
    const inTurn = index % 2 === 0 ? ["CommonJS" as const] : ["ES modules" as const];
    const both = ["CommonJS", "ES modules"] as const;
    const formats = file ? ["ES modules" as const] : isBasic || runtime === runtimes.at(-1) ? both : inTurn;
    const plain = formats.map((format) => ({ runtime, format, isPreloaded: false }));
    return isPreloaded ? [...plain, ...inTurn.map((format) => ({ runtime, format, isPreloaded: true }))] : plain;
  });
}

let runs = 0;

async function compare(
  given: EquivalenceCase,
  { runtime, format, isPreloaded }: Way,
  folder: string,
  gateway: TestGateway,
): Promise<Comparison> {
  const id = `run-${runs++}`;
  const file = given.file ?? (format === "CommonJS" ? "run.cjs" : "run.mjs");
  const env = {
    ...(given.nodeOptions === undefined ? {} : { NODE_OPTIONS: given.nodeOptions }),
    ...(given.listensLast ? { WHENCE_INIT: "first" } : {}),
    TMPDIR: mkdtempSync(join(folder, "tmp-")),
    WHENCE_API_KEY: "whk_test",
    WHENCE_ENDPOINT: `${gateway.url}/${id}`,
  };
  const { flags = [] } = given;
  const start = { runtime, file, args: [given.ending], env };
  const preload = isPreloaded ? preloadFlags(format, folder) : [];
  const [without, { ending: watched, ms }] = await Promise.all([
    run(folder, { ...start, flags }),
    runTimed(folder, { ...start, flags: [...flags, "--conditions=watched", ...preload] }),
  ]);
  const reported = whatArrived(gateway, id);
  if (given.sentByNextStart) {
    const next = { runtime, file, args: ["stays for what others left"], env, flags: ["--conditions=watched"] };
    await startUntil(folder, next, () => whatArrived(gateway, id).length > reported.length);
  }
  return {
    runtime,
    name: `Node ${runtime.name}, ${format}${isPreloaded ? ", preloaded" : ""}`,
    without,
    watched,
    reported: whatArrived(gateway, id),
    expected: [...reportedBy(runtime, given), ...(given.sentByNextStart ?? [])].map((text) =>
      given.isAtLoad && format === "ES modules" ? text.replace(/^uncaughtException/, "unhandledRejection") : text,
    ),
    usedItsTime: ms >= sdkLimits.crashWaitMs,
  };
}

async function startUntil(folder: string, start: Start, isDone: () => boolean): Promise<void> {
  const { child, ended } = begin(folder, start);
  await eventually(isDone);
  child.kill("SIGKILL");
  await ended;
}

/** Returns what arrives of a case from a version of Node. */
export function reportedBy(runtime: Runtime, { reported, reportedBy18 }: EquivalenceCase): readonly string[] {
  return runtime.name === "18" ? (reportedBy18 ?? reported) : reported;
}

function preloadFlags(format: Way["format"], folder: string): string[] {
  return format === "CommonJS"
    ? ["--require", join(folder, "sdk", "register.cjs")]
    : ["--import", join(folder, "sdk", "register.js")];
}

function whatArrived(gateway: TestGateway, id: string): string[] {
  const batches = gateway.posts.filter(({ path }) => path.startsWith(`/${id}/`)).map(({ batch }) => batch);
  const events = batches.flatMap((batch) => batch.events).filter(({ type }) => type !== "heartbeat");
  const once = [...new Map(events.map((event) => [event.id, event])).values()];
  return once.sort((a, b) => a.seq - b.seq).map(describeEvent);
}

function describeEvent({ type, mechanism, message, attributes }: TelemetryEvent): string {
  return type === "exit" ? `exit ${String(attributes?.exit_code)}` : `${mechanism.type}: ${message}`;
}
