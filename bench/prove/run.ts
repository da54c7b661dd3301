import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { crc32 } from "node:zlib";
import type { CorpusCase } from "../rca/corpora/corpus-case.ts";
import { corpusCases, withTrees } from "../rca/corpus-cases.ts";
import { foldOf } from "../rca/folds.ts";
import { type App, readApps } from "../rca/mutate/app.ts";
import { layOut } from "../rca/mutate/sandbox.ts";
import { markdownTable } from "../table.ts";
import { ownNames, proveOwn } from "./own-failing.ts";
import { changeLine, changesTable } from "./packages/by-change.ts";
import { type BySuspicion, rules } from "./packages/by-suspicion.ts";
import { mistakeNames, type ProvenMistake, proveMistake } from "./packages/prove-package.ts";
import { histories } from "./packages/with-history.ts";
import { type Proven, proveMutant } from "./prove-case.ts";

/** Mutants of fold 0 shaped what decides. */
const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
    folds: { type: "string", default: "1,2,3,4" },
    language: { type: "string", default: "javascript" },
    /** `mutants`, our own cases, which no operator made: `own`, or failing tests of published `packages`. */
    corpus: { type: "string", default: "mutants" },
    /** Only cases whose name begins with one of these, separated by commas. */
    only: { type: "string", default: "" },
    /** What a package's tree has of its past: `none`, uncommitted `changes`, or its `history`, which is bisected. */
    with: { type: "string", default: "none" },
    /** A file to which each proof of a package's mistake is appended, as JSON. */
    record: { type: "string" },
  },
});

const folds = values.folds.split(",").map(Number);
const mutants = drawn(
  corpusCases(values.corpus === "mutants" ? ["mutants"] : []).filter(
    ({ group, language }) => folds.includes(foldOf(group)) && language === values.language,
  ),
);
await withTrees(mutants);
const own = drawn(asNamed(values.corpus === "own" ? ownNames(values.language) : []));
const mistakes = drawn(asNamed(values.corpus === "packages" ? mistakeNames(values.language) : []));
const apps = readApps();
const folders = new Map<string, string>();
const found: Proven[] = [];
const history = histories.find((one) => one === values.with);
if (history === undefined) throw new Error(`--with is one of ${histories.join(", ")}`);
const ofPackages: ProvenMistake[] = [];
for (const read of mutants) {
  const app = appOf(read);
  add(read.id, app && (await proveMutant(read, app, await folderOf(app))));
}
for (const { id } of own) add(id, await proveOwn(id));
for (const { id } of mistakes) {
  const mistake = await proveMistake(id, history);
  add(id, mistake?.proven ?? null);
  if (!mistake) continue;
  ofPackages.push(mistake);
  if (history !== "none") console.error(changeLine(mistake));
  if (values.record !== undefined) appendFileSync(values.record, `${JSON.stringify(mistake)}\n`);
}
const cases = mutants.length + own.length + mistakes.length;
console.log(`\n${found.length} of ${cases} cases fail; median runs: ${medianRuns()}\n`);
const trials = found.flatMap((one) => one.trials);
const repaired = found.filter((one) => one.trials.includes("repaired"));
const rightly = repaired.filter(({ isConfirmed, proven }) => isConfirmed && proven.function);
console.log(
  `${trials.length} patches tried, ${trials.filter((one) => one === "undecided").length} undecided; ${repaired.length} programs repaired, ${rightly.length} with the right function confirmed\n`,
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
  "recognized",
  "seen again",
  "test told apart",
];
const groups = [
  ...operators.map((one) => rowOf(one, (each) => each.operator === one)),
  rowOf("test told apart", ({ ran }) => ran !== null),
  rowOf("all", () => true),
];
console.log(markdownTable(headings, groups));
if (history !== "none") console.log(`\n${changesTable(ofPackages)}`);
const suspects: BySuspicion[] = ofPackages.flatMap((one) => one.suspects ?? []);
if (suspects.length > 0) {
  const count = (is: (one: BySuspicion) => boolean): string => String(suspects.filter(is).length);
  const rows = rules.map((rule) => [rule, count((one) => one[rule].function), count((one) => one[rule].file)]);
  console.log(`\n${markdownTable([`first of ${suspects.length} tests' functions`, "function", "file"], rows)}`);
}

function add(id: string, proven: Proven | null): void {
  if (proven) found.push(proven);
  console.error(proven ? lineOf(proven) : `${id}: no report`);
}

/** Draws cases: the seed decides their order, whatever else is in the corpus. */
function drawn<Of extends Pick<CorpusCase, "id">>(all: readonly Of[]): Of[] {
  const drawOf = ({ id }: Of): number => crc32(`${values.seed} ${id}`);
  const beginnings = values.only.split(",");
  return all
    .filter(({ id }) => beginnings.some((one) => id.startsWith(one)))
    .toSorted((one, other) => drawOf(one) - drawOf(other))
    .slice(0, Number(values.sample));
}

function asNamed(names: readonly string[]): { readonly id: string }[] {
  return names.map((id) => ({ id }));
}

function lineOf(one: Proven): string {
  const { id, operator, inferred, proven, isConfirmed, isTruthRefuted, runs } = one;
  const text = ({ file, function: name }: Proven["proven"]): string => (name ? "function" : file ? "file" : "wrong");
  const ends = [
    isConfirmed ? ", confirmed" : "",
    isTruthRefuted ? ", right one refuted" : "",
    one.isRecognized ? (one.isSeenAgain ? "" : ", not seen again") : ", not recognized",
    one.ran ? ", test told apart" : "",
  ];
  return `${id} ${operator}: ${text(inferred)} -> ${text(proven)}${ends.join("")} after ${runs} runs`;
}

function rowOf(name: string, isIn: (one: Proven) => boolean): string[] {
  const rows = found.filter(isIn);
  const count = (is: (one: Proven) => boolean): string => String(rows.filter(is).length);
  const [confirmed, right] = [
    rows.filter(({ isConfirmed }) => isConfirmed),
    rows.filter(({ isConfirmed, proven }) => isConfirmed && proven.function),
  ];
  return [
    name,
    String(rows.length),
    count(({ inferred }) => inferred.file),
    count(({ proven }) => proven.file),
    count(({ inferred }) => inferred.function),
    count(({ proven }) => proven.function),
    confirmed.length === 0 ? "0" : `${confirmed.length}, ${right.length} right`,
    count(({ isTruthRefuted }) => isTruthRefuted),
    count(({ isRecognized }) => isRecognized),
    count(({ isSeenAgain }) => isSeenAgain),
    count(({ ran }) => ran !== null),
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
