import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { TelemetryEvent } from "@whence/protocol";
import type { EquivalenceCase } from "./equivalence-cases.ts";
import { type Ending, run, runTimed } from "./equivalence-programs.ts";
import type { TestGateway } from "./gateway.ts";
import { mayBeLate, sendWhatIsLeft } from "./next-start.ts";
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
}

/** Runs a case in all ways, one after another. */
export async function compareInAllWays(
  given: EquivalenceCase,
  folder: string,
  gateway: TestGateway,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const way of waysOf(given)) comparisons.push(await compare(given, way, folder, gateway));
  return comparisons;
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
  const expected = expectedOf(given, runtime, format);
  const isLate = mayBeLate(ms) && whatArrived(gateway, id).length < expected.length;
  if (given.sentByNextStart || isLate) await sendWhatIsLeft(folder, runtime, env);
  return {
    runtime,
    name: `Node ${runtime.name}, ${format}${isPreloaded ? ", preloaded" : ""}`,
    without,
    watched,
    reported: whatArrived(gateway, id),
    expected,
  };
}

/** Returns what arrives in the end: what the program sends, and then what it leaves for its next start. */
function expectedOf(given: EquivalenceCase, runtime: Runtime, format: Way["format"]): string[] {
  return [...reportedBy(runtime, given), ...(given.sentByNextStart ?? [])].map((text) =>
    given.isAtLoad && format === "ES modules" ? text.replace(/^uncaughtException/, "unhandledRejection") : text,
  );
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
