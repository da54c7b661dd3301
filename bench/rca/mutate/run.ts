import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { applyLineEdits } from "../corpora/case-files.ts";
import { type CorpusCase, corpusCase } from "../corpora/corpus-case.ts";
import { type App, readApps } from "./app.ts";
import { execute, type Watch } from "./execute.ts";
import { InOrder } from "./in-order.ts";
import { judge, likenessOf, symptomOf } from "./judge.ts";
import { toLineEdits } from "./mutation.ts";
import type { Owner } from "./owner.ts";
import { Quota } from "./quota.ts";
import { layOut } from "./sandbox.ts";
import { findSites, type Site } from "./sites.ts";

const atTheSameTime = 2;
/** Matches errors that a busy machine may cause as well: these have to occur twice. */
const dependsOnTime = /timed? ?out|abort|no answer|within \d|ECONN|hang up/i;
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    /** Runs for each package of a driver, and for each service. */
    tries: { type: "string", default: "100" },
    /** Runs each app unchanged and reports whether it works. */
    check: { type: "boolean", default: false },
    /** Skips what already has a file. */
    missing: { type: "boolean", default: false },
    /** Makes the mistakes whose symptom is elsewhere, which train nothing, in place of the others. */
    remote: { type: "boolean", default: false },
    /** Makes these mistakes only, separated by commas, and keeps the recorded cases of the others. */
    operators: { type: "string" },
  },
});
const output = resolve(import.meta.dirname, "../corpora", options.remote ? "remote" : "mutants");
/** A package with fewer sites that ran is skipped. */
const sitesMin = options.remote ? 1 : 20;
const triesMax = Number(options.tries);
const only = options.operators?.split(",");

/** Mistakes that show elsewhere may block the main thread: then its stack is recorded. */
const watch: Watch = {
  env: {},
  ...(options.remote && { preload: resolve(import.meta.dirname, "hang-watch.ts") }),
};

for (const app of readApps().filter(({ name, packages }) => isWanted(name, Object.keys(packages)))) {
  try {
    await mutateApp(app);
  } catch (error) {
    console.error(`${app.name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

function isWanted(name: string, packages: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((each) => each === name || packages.includes(each));
}

async function mutateApp(app: App): Promise<void> {
  const lanes = await layOut(app, atTheSameTime);
  const [folder = ""] = lanes;
  for (const lane of lanes) await expectHealthy(app, lane);
  const owned = await findSites(app, folder, options.remote);
  if (options.check) {
    const counts = owned.map(({ owner, sites }) => `${owner.name} ${sites.length}`);
    console.log(`${app.name}: healthy; ${counts.join(", ")}`);
    return;
  }
  for (const { owner, sites } of owned.filter((each) => each.sites.length >= sitesMin)) {
    const path = join(output, `${owner.name.replace("/", "__")}.jsonl`);
    if (belongsToOther(path, app) || (options.missing && existsSync(path))) continue;
    const made = sites.filter(({ mutation }) => only?.includes(mutation.operator) ?? true);
    const cases = [...othersIn(path), ...(await mutateOwner(app, lanes, owner, made))];
    if (cases.length === 0) continue;
    mkdirSync(dirname(path), { recursive: true });
    const sorted = cases.sort((left, right) => (left.id < right.id ? -1 : 1));
    writeFileSync(path, sorted.map((each) => `${JSON.stringify(corpusCase.parse(each))}\n`).join(""));
  }
  for (const lane of lanes) rmSync(lane, { recursive: true, force: true });
}

async function expectHealthy(app: App, folder: string): Promise<void> {
  const { code, stderr } = await execute(app, folder);
  if (code !== 0 || /^\s+at |^Traceback/m.test(stderr))
    throw new Error(`fails without a mutation (exit code ${code}):\n${stderr.slice(0, 2000)}`);
}

/** Returns the recorded cases of the mistakes that aren't made this time. */
function othersIn(path: string): CorpusCase[] {
  if (only === undefined || !existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines
    .map((line) => corpusCase.parse(JSON.parse(line)))
    .filter(({ operator = "" }) => !only.includes(operator));
}

/** Whether another driver comes first: a package that several drivers use is mutated in the first of them. */
function belongsToOther(path: string, app: App): boolean {
  if (!existsSync(path)) return false;
  const first: unknown = JSON.parse(readFileSync(path, "utf8").split("\n")[0] ?? "");
  const from = `${app.kind === "service" ? "services" : "drivers"}/${app.name}`;
  return !corpusCase.parse(first).sources.some((source) => source.from === from);
}

async function mutateOwner(
  app: App,
  lanes: readonly string[],
  owner: Owner,
  sites: readonly Site[],
): Promise<CorpusCase[]> {
  const quota = new Quota(app.kind);
  const seen = new Set<string>();
  const kept: CorpusCase[] = [];
  let tries = 0;
  const isDone = (): boolean => quota.isFull || tries >= triesMax;
  const tried = new InOrder<Tried>(({ operator, found }) => {
    if (isDone() || !quota.wants(operator)) return;
    tries++;
    if (found === undefined || seen.has(likenessOf(found)) || !quota.take(found, symptomOf(found))) return;
    seen.add(likenessOf(found));
    kept.push(found);
  });
  const queue = sites.entries();
  const work = async (lane: string): Promise<void> => {
    for (const [number, site] of queue) {
      if (isDone()) return;
      const { operator } = site.mutation;
      const found = quota.wants(operator) ? await tryMutation(app, lane, owner, site) : undefined;
      tried.push(number, { operator, found });
    }
  };
  await Promise.all(lanes.map(work));
  console.log(`${owner.name} (${app.name}): ${kept.length} of ${tries} runs, ${sites.length} sites; ${quota.summary}`);
  return kept.sort((left, right) => (left.id < right.id ? -1 : 1));
}

interface Tried {
  readonly operator: string;
  readonly found: CorpusCase | undefined;
}

async function tryMutation(app: App, lane: string, owner: Owner, site: Site): Promise<CorpusCase | undefined> {
  const { file, source, mutation } = site;
  const path = join(lane, file);
  const edits = toLineEdits(source, mutation.edits).map((edit) => ({ file, ...edit }));
  writeFileSync(path, applyLineEdits(source, edits));
  try {
    const found = await runOnce(app, lane, owner, site);
    if (found === undefined || !dependsOnTime.test(found.log)) return found;
    const again = await runOnce(app, lane, owner, site);
    return again !== undefined && symptomOf(again) === symptomOf(found) ? found : undefined;
  } finally {
    writeFileSync(path, source);
  }
}

async function runOnce(app: App, lane: string, owner: Owner, site: Site): Promise<CorpusCase | undefined> {
  const run = await execute(app, lane, watch);
  const isHang = run.stderr.includes("Application Not Responding");
  return run.code === undefined && !isHang ? undefined : judge(app, lane, owner, site, run);
}
