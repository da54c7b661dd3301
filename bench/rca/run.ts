import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { answer } from "./answer.ts";
import { developmentCases, installedCases, type RcaCase, rcabenchFolder } from "./cases.ts";
import { minedCases, mutantCases } from "./corpus-cases.ts";
import { modelWithout } from "./folds.ts";
import { readOldEngine } from "./old-engine.ts";
import { ownCases } from "./own-case.ts";
import { renamed } from "./rename.ts";
import { baseline, type Prediction, scoreCase } from "./score.ts";
import { reliabilityTable, type Scored, scoreTable } from "./strata.ts";
import { train } from "./train/run.ts";
import { typicalCase } from "./typical-case.ts";

const { values: options } = parseArgs({
  options: {
    /** Learns the ranking model again before it is scored. */
    train: { type: "boolean", default: false },
    /** Scores every n-th mutant. */
    every: { type: "string", default: "8" },
    misses: { type: "boolean", default: false },
    /** Writes the answers to the benchmark of real failures, in the form that its own scorer reads. */
    out: { type: "string" },
  },
});
const typicalRuns = 5;
const msPerUs = 1_000;

const folder = rcabenchFolder();
if (folder === undefined)
  console.log(
    "The benchmark of real failures wasn't found (RCABENCH): its cases and those that it replays are left out.",
  );
const development = folder === undefined ? [] : developmentCases(folder);
const own = [...ownCases(), ...(folder === undefined ? [] : installedCases(folder))];
const mined = await minedCases();
if (options.train) await train([...own, ...mined, ...(await mutantCases(1))]);

const old = readOldEngine();
const answers = new Map<RcaCase, Prediction>();
const whole = await scoreAll([...development, ...own, ...mined, ...(await mutantCases(Number(options.every)))]);
console.log(`${scoreTable(whole)}\n\n${reliabilityTable(whole)}`);
const variants = [
  ...(await scoreAll(development.map((rca) => ({ ...renamed(rca), corpus: "rcabench, renamed" })))),
  ...(await scoreAll(development.map((rca) => ({ ...rca, files: [], corpus: "rcabench, text alone" })))),
];
if (variants.length > 0) console.log(`\n${scoreTable(variants)}`);
await printCost();
if (options.misses) printMisses(whole);
if (options.out !== undefined) writePredictions(options.out, development);

/** Each case by a model that was trained without its group; rcabench trains none. */
async function scoreAll(cases: readonly RcaCase[]): Promise<Scored[]> {
  const scored: Scored[] = [];
  for (const rca of cases) {
    const given = await answer(rca, modelWithout(rca.group));
    answers.set(rca, given);
    scored.push({
      ...{ rca, engine: scoreCase(rca, given), old: old(rca) },
      ...{ topFrame: scoreCase(rca, baseline(rca, false)), ownFrame: scoreCase(rca, baseline(rca, true)) },
    });
  }
  return scored;
}

/** Processor time of an investigation of 20 files of 50 kB, the first left out: it compiles what the rest run. */
async function printCost(): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run <= typicalRuns; run++) {
    const before = process.cpuUsage();
    await answer(typicalCase());
    const { user, system } = process.cpuUsage(before);
    if (run > 0) times.push((user + system) / msPerUs);
  }
  const row = ["20 files of 50 kB", ...[0.5, 1].map((q) => quantile(times, q).toFixed(0))];
  console.log(`\n${table(["processor time of an investigation, ms", "median", "max"], [row])}`);
}

function printMisses(scored: readonly Scored[]): void {
  for (const { rca, engine } of scored) {
    if (engine.file1) continue;
    const [first] = answers.get(rca)?.ranked ?? [];
    const { truth } = rca;
    console.log(`\n${rca.corpus} ${rca.id}: ${truth.file} ${truth.function}:${truth.line_start}`);
    console.log(`  said ${first?.file} ${first?.function}:${first?.line} at ${engine.confidence}`);
  }
}

function writePredictions(file: string, cases: readonly RcaCase[]): void {
  const lines = cases.map((rca) => JSON.stringify({ id: rca.id, ...answers.get(rca) }));
  writeFileSync(file, `${lines.join("\n")}\n`);
}
