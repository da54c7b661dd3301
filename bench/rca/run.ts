import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { learnedModel } from "@whence/engine/ranking";
import { openBenchModel } from "../model/bench-model.ts";
import { lossMax, type ModelSetup, modelOptions, setUpModel } from "../model/model-setup.ts";
import { usedTable } from "../model/used-table.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { ablationTable } from "./ablate/run.ts";
import { agreementTable } from "./agreement-table.ts";
import { amongOthers } from "./among-others.ts";
import { answer } from "./answer.ts";
import { developmentCases, installedCases, type RecordedCase, rcabenchFolder } from "./cases.ts";
import { corporaDigest } from "./corpora-digest.ts";
import { minedCases, mutantCases, remoteCases } from "./corpus-cases.ts";
import { codeForms, type Form, forms, inForms } from "./forms.ts";
import { ownCases } from "./own-case.ts";
import { readPasted } from "./pasted/pasted-case.ts";
import { pastedCases } from "./pasted/pasted-cases.ts";
import { scorePasted } from "./pasted/score-pasted.ts";
import { patchTables } from "./patches/score-patches.ts";
import { reliabilityTable } from "./reliability.ts";
import { renamed } from "./rename.ts";
import { type Scored, scoreCases } from "./score-cases.ts";
import { scoreTable } from "./strata.ts";
import { testedTables } from "./tested/score-tested.ts";
import { calibrateModels } from "./train/calibrate.ts";
import { train } from "./train/run.ts";
import { typicalCase } from "./typical-case.ts";
import { compareCases, comparisonTable, greatestLoss } from "./with-model.ts";

const { values: options } = parseArgs({
  options: {
    /** Trains the ranking model before it is scored. */
    train: { type: "boolean", default: false },
    /** Calibrates the model before it is scored. */
    calibrate: { type: "boolean", default: false },
    ...modelOptions,
    /** Scores every n-th mutant; with a model, every n-th case. */
    every: { type: "string", default: "8" },
    /** Scores one corpus only: `pasted`, stacks in descriptions of fixes, or `tested`, failed tests of Go modules. */
    corpus: { type: "string" },
    /** Scores one form only: `text`, `stack`, `imports`, `tree`, or `named`. */
    form: { type: "string" },
    /** Scores our own services alone, each in a tree of at least so many files, with modules of others. */
    among: { type: "string" },
    /** Prints what each group of features gains. */
    ablate: { type: "boolean", default: false },
    /** Runs the mutants' programs with the patches of the reports, and prints how many pass; nothing else. */
    patches: { type: "boolean", default: false },
    /** The folds of groups whose patches are run. Repairs were written on 0 and 1. */
    folds: { type: "string", default: "2,3,4" },
    /** Prints each patch. */
    show: { type: "boolean", default: false },
    misses: { type: "boolean", default: false },
    /** Writes the answers to the benchmark of real failures in the form that its scorer reads. */
    out: { type: "string" },
  },
});
const typicalRuns = 5;
const msPerUs = 1_000;

if (options.patches) {
  const folds = options.folds.split(",").map(Number);
  console.log(await patchTables(folds, Number(options.every), options.show));
  process.exit();
}
const chosen = forms.filter((form) => options.form === form);
const wanted: readonly Form[] = options.form === undefined ? codeForms : chosen;
if (options.corpus === "pasted") {
  const { tables, lowered } = await scorePasted(options.form === undefined ? forms : chosen);
  console.log(tables);
  if (lowered.length > 0) console.log(`\nMore files lower figures of the development half:\n${lowered.join("\n")}`);
  process.exit(lowered.length > 0 ? 1 : 0);
}
if (options.corpus === "tested") {
  console.log(await testedTables(wanted, (scored) => options.misses && printMisses(scored)));
  process.exit();
}
if (options.among !== undefined) {
  const services = ownCases();
  const scored = await scoreCases(
    await inForms(
      services.map((one) => amongOthers(one, services, Number(options.among))),
      ["tree"],
    ),
  );
  console.log(`${scoreTable(scored)}\n\n${reliabilityTable(scored)}`);
  process.exit();
}
const folder = rcabenchFolder();
if (folder === undefined)
  console.log(
    "The benchmark of real failures wasn't found (RCABENCH): its cases and those that it replays are left out.",
  );
const development = folder === undefined ? [] : developmentCases(folder);
const own = [...ownCases(), ...(folder === undefined ? [] : installedCases(folder))];
const mined = await minedCases();
const pasted = options.train || options.calibrate ? pastedCases("development") : [];
if (options.train || options.calibrate) printUncloned(readPasted("development").length - pasted.length);
if (options.train) await train([...own, ...mined, ...(await mutantCases(1)), ...(await remoteCases()), ...pasted]);
else if (learnedModel().trained.corpora_sha256 !== corporaDigest())
  console.log("The shipped model was trained on other cases than these: `--train` makes it again.");

const mutants = await mutantCases(Number(options.every));
if (options.train || options.calibrate) await calibrateModels([...own, ...mined, ...mutants, ...pasted]);
await using setup = await setUpModel(options);
if (setup) {
  const others = [...development, ...own, ...mined].filter((_, index) => index % Number(options.every) === 0);
  await printDifference([...others, ...mutants], setup);
  process.exit();
}
const recorded = [...development, ...own, ...mined, ...mutants];
const whole = await scoreCases(await inForms(recorded, wanted));
console.log(`${scoreTable(whole)}\n\n${reliabilityTable(whole)}`);
const remote = await scoreCases(await inForms(await remoteCases(), wanted));
console.log(`\nmutants whose mistake is likely to show elsewhere\n${scoreTable(remote)}`);
const disguised = await scoreCases(await inForms(development.map(renamed), wanted));
if (disguised.length > 0) console.log(`\nrcabench with other names\n${scoreTable(disguised)}`);
await printCost();
if (options.misses) printMisses(whole);
if (options.out !== undefined) writePredictions(options.out, whole);
if (options.ablate)
  console.log(
    `\n${await ablationTable(await inForms([...development, ...own, ...mined, ...(await mutantCases(1))], ["tree"]))}`,
  );

function printUncloned(cases: number): void {
  if (cases > 0)
    console.log(`${cases} pasted stacks are left out: the folder that WHENCE_CLONES names lacks their repositories.`);
}

/** Prints what a model changes, and what it used. Fails when a scripted one does more harm than it may. */
async function printDifference(cases: readonly RecordedCase[], model: ModelSetup): Promise<void> {
  await using asked = await openBenchModel(model);
  const compared = await compareCases(await inForms(cases, wanted), asked, model);
  const loss = greatestLoss(compared);
  console.log([comparisonTable(compared), agreementTable(compared), usedTable(asked.uses)].join("\n\n"));
  console.log(`\nThe figure that the model lowers most loses ${loss.toFixed(1)} points.`);
  if (model.scripted && loss > lossMax) process.exitCode = 1;
}

/**
 * Prints the CPU time of an investigation of 20 files of 50 kB, without the first, which compiles code that the others
 * reuse.
 */
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
  for (const { rca, engine, answered } of scored) {
    if (engine.file1) continue;
    const [first] = answered.ranked;
    const { truth } = rca;
    console.log(`\n${rca.corpus} ${rca.id}, ${rca.form}: ${truth.file} ${truth.function}:${truth.line_start}`);
    console.log(`  said ${first?.file} ${first?.function}:${first?.line} at ${engine.confidence}`);
  }
}

function writePredictions(file: string, scored: readonly Scored[]): void {
  const real = scored.filter(({ rca }) => rca.corpus === "rcabench" && rca.form === "tree");
  const lines = real.map(({ rca, answered }) => JSON.stringify({ id: rca.id, ...answered }));
  writeFileSync(file, `${lines.join("\n")}\n`);
}
