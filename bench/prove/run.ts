import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import type { CorpusCase } from "../rca/corpora/corpus-case.ts";
import { corpusCases, withTrees } from "../rca/corpus-cases.ts";
import { foldOf } from "../rca/folds.ts";
import { type App, readApps } from "../rca/mutate/app.ts";
import { layOut } from "../rca/mutate/sandbox.ts";
import { markdownTable } from "../table.ts";
import { ownNames, proveOwn } from "./own-failing.ts";
import { type Proven, proveMutant } from "./prove-case.ts";

/** Mutants of fold 0 shaped what decides. */
const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    folds: { type: "string", default: "1,2,3,4" },
    language: { type: "string", default: "javascript" },
    /** `mutants`, or our own cases, which no operator made: `own`. */
    corpus: { type: "string", default: "mutants" },
  },
});

const folds = values.folds.split(",").map(Number);
const mutants = corpusCases(["mutants"])
  .filter(({ group, language }) => folds.includes(foldOf(group)) && language === values.language)
  .sort((one, other) => drawOf(one) - drawOf(other))
  .slice(0, values.corpus === "mutants" ? Number(values.sample) : 0);
await withTrees(mutants);
const own = values.corpus === "own" ? ownNames(values.language) : [];
const ownDrawn = own
  .toSorted((one, other) => drawOf({ id: one }) - drawOf({ id: other }))
  .slice(0, Number(values.sample));
const apps = readApps();
const folders = new Map<string, string>();
const found: Proven[] = [];
for (const read of mutants) {
  const app = appOf(read);
  add(read.id, app && (await proveMutant(read, app, await folderOf(app))));
}
for (const name of ownDrawn) add(name, await proveOwn(name));
console.log(`\n${found.length} of ${mutants.length + ownDrawn.length} cases fail; median runs: ${medianRuns()}\n`);
const trials = found.flatMap((one) => one.trials);
const repaired = found.filter((one) => one.trials.includes("repaired"));
const rightly = repaired.filter(({ isConfirmed, proven }) => isConfirmed && proven.function);
console.log(
  `${trials.length} patches tried, ${trials.filter((one) => one === "undecided").length} undecided; ${repaired.length} mutants repaired, ${rightly.length} with the right function confirmed\n`,
);
const operators = [...new Set(found.map(({ operator }) => operator))].sort();
const headings = [
  "mistake",
  "n",
  "file inferred",
  "proven",
  "function inferred",
  "proven",
  "confirmed",
  "refuted right",
];
console.log(markdownTable(headings, [...operators.map((one) => rowOf(one)), rowOf(null)]));

function add(id: string, proven: Proven | null): void {
  if (proven) found.push(proven);
  console.error(proven ? lineOf(proven) : `${id}: no report`);
}

/** Returns the place of a mutant in the draw: the seed decides it, whatever else is in the corpus. */
function drawOf({ id }: Pick<CorpusCase, "id">): number {
  return crc32(`${values.seed} ${id}`);
}

function lineOf({ id, operator, inferred, proven, isConfirmed, isTruthRefuted, runs }: Proven): string {
  const text = ({ file, function: name }: Proven["proven"]): string => (name ? "function" : file ? "file" : "wrong");
  const ends = `${isConfirmed ? ", confirmed" : ""}${isTruthRefuted ? ", right one refuted" : ""}`;
  return `${id} ${operator}: ${text(inferred)} -> ${text(proven)}${ends} after ${runs} runs`;
}

function rowOf(operator: string | null): string[] {
  const rows = operator === null ? found : found.filter((one) => one.operator === operator);
  const count = (is: (one: Proven) => boolean): string => String(rows.filter(is).length);
  const [confirmed, right] = [
    rows.filter(({ isConfirmed }) => isConfirmed),
    rows.filter(({ isConfirmed, proven }) => isConfirmed && proven.function),
  ];
  return [
    operator ?? "all",
    String(rows.length),
    count(({ inferred }) => inferred.file),
    count(({ proven }) => proven.file),
    count(({ inferred }) => inferred.function),
    count(({ proven }) => proven.function),
    confirmed.length === 0 ? "0" : `${confirmed.length}, ${right.length} right`,
    count(({ isTruthRefuted }) => isTruthRefuted),
  ];
}

function medianRuns(): number {
  const runs = found.map((one) => one.runs).sort((one, other) => one - other);
  return runs[runs.length >> 1] ?? 0;
}

function appOf({ sources }: CorpusCase): App | null {
  const from = sources.map((one) => one.from);
  return apps.find(({ kind, name }) => from.includes(`${kind === "service" ? "services" : "drivers"}/${name}`)) ?? null;
}

async function folderOf(app: App): Promise<string> {
  const known = folders.get(app.name);
  const [folder = ""] = known === undefined ? await layOut(app, 1) : [known];
  folders.set(app.name, folder);
  return folder;
}
