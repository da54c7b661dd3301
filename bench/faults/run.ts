import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPython, withoutPython } from "../../examples/shop/demo/python.ts";
import { setUpModel } from "../model/model-setup.ts";
import { usedTable } from "../model/used-table.ts";
import { faults } from "./catalogue/faults.ts";
import type { Fault } from "./fault.ts";
import { type Options, readOptions } from "./options.ts";
import { differenceText, resultsText, summaryOf } from "./results.ts";
import { type Bench, type FaultRun, runFault } from "./run-fault.ts";
import { scoreOf } from "./score.ts";
import { Standstill } from "./standstill.ts";
import { TelemetryTap } from "./telemetry-tap.ts";
import { Turns } from "./turns.ts";
import { Whence } from "./whence.ts";

const standstillMaxMs = 2_500;
const attemptsMax = 3;
/** A scripted model takes as long as a fast real one, so that the report before it can be read. */
const scriptedPauseMs = 1_000;

await main(readOptions(process.argv.slice(2)));

async function main(options: Options): Promise<void> {
  if (findPython() === undefined) console.error(withoutPython);
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "whence-faults-"));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const model = await setUpModel(options.asked, scriptedPauseMs);
  if (model) opened.use(model).avoid(isMistaken);
  const whence = opened.use(await Whence.start(join(folder, "whence"), model?.variables));
  const tap = opened.use(await TelemetryTap.open(whence.url));
  const stopped = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stopped.abort());
  const { seed, without } = options;
  const shops = join(folder, "shops");
  const isModelAsked = model !== null;
  const bench = {
    whence,
    tap,
    folder: shops,
    seed,
    without,
    isModelAsked,
    starts: new Turns(),
    signal: stopped.signal,
  };
  const runs = await runAll(options, bench, stopped);
  print(runs, options);
  if (model) await printDifference(runs, whence, options);
  if (options.keep) await keepOpen(whence, stopped.signal);
}

/** Runs a few faults at a time, and in parallel those that are watched for long, which cost little. */
async function runAll({ faults, lanes }: Options, bench: Bench, stopped: AbortController): Promise<FaultRun[]> {
  const runs: FaultRun[] = [];
  const lane = async (waiting: Fault[]): Promise<void> => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      const run = await runUndisturbed(fault, bench);
      runs.push(run);
      console.error(progressText(run, faults.length - runs.length));
    }
  };
  const { long = [], short = [] } = Object.groupBy(faults, ({ watchSeconds }) => (watchSeconds ? "long" : "short"));
  const started = [...long.map((fault) => lane([fault])), ...Array.from({ length: lanes }, () => lane(short))];
  // A failed run ends the others, and leaves no process behind.
  await Promise.all(started).catch(async (error: unknown) => {
    stopped.abort(error);
    await Promise.allSettled(started);
    throw error;
  });
  const order = (fault: Fault): number => faults.indexOf(fault);
  return runs.toSorted((left, right) => order(left.fault) - order(right.fault));
}

/** Repeats a run during which the machine stalled: timeouts then aren't the shop's. */
async function runUndisturbed(fault: Fault, bench: Bench, attempt = 1): Promise<FaultRun> {
  using standstill = new Standstill();
  const [outcome] = await Promise.allSettled([runFault(fault, attempt, bench)]);
  const { longestMs } = standstill;
  if (longestMs > standstillMaxMs && attempt < attemptsMax && !bench.signal.aborted) {
    console.error(`${fault.name}: again, since nothing ran for ${longestMs} ms`);
    return runUndisturbed(fault, bench, attempt + 1);
  }
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

function progressText(run: FaultRun, left: number): string {
  const { fault, causedBy, suspected, category, incidents } = scoreOf(run);
  const outcome = `caused by ${causedBy}, suspected ${suspected[0] ?? "none"}: ${category ?? "no report"}`;
  return `${fault}: ${outcome}; ${incidents} opened, ${left} faults to go`;
}

function print(runs: readonly FaultRun[], { json }: Options): void {
  const scores = runs.map(scoreOf);
  if (json) console.log(JSON.stringify({ summary: summaryOf(scores), scores, runs }, null, 2));
  else console.log(resultsText(scores));
}

/** Whether any fault of the catalogue puts its mistake into a file. */
function isMistaken(path: string): boolean {
  return faults.some(({ files }) => files.some((file) => path.endsWith(file) || file.endsWith(`/${path}`)));
}

async function printDifference(runs: readonly FaultRun[], whence: Whence, { json }: Options): Promise<void> {
  const alone = runs.map((run) => scoreOf({ ...run, incidents: run.byEngine }));
  const used = (await whence.modelRuns()).map(({ input_tokens, output_tokens, cost_usd, ...one }) => ({
    ...{ ...one, inputTokens: input_tokens, outputTokens: output_tokens, costUsd: cost_usd },
  }));
  const text = `\n${differenceText(alone, runs.map(scoreOf))}\n\n${usedTable(used)}`;
  if (json) console.error(text);
  else console.log(text);
}

async function keepOpen({ url, owner }: Whence, signal: AbortSignal): Promise<void> {
  console.error(`\n${url}/login as ${owner.email} with ${owner.password}; Ctrl-C ends it`);
  if (!signal.aborted) await once(signal, "abort");
}
