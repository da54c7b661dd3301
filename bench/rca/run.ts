import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ChildServer, startEmbeddedServer } from "../child-server.ts";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";
import { ask } from "./ask.ts";
import { developmentCases, installedCases, type RcaCase, rcabenchFolder } from "./cases.ts";
import { ownCases } from "./own-case.ts";
import { renamed } from "./rename.ts";
import { baseline, type Prediction, type Row, type Summary, scoreCase, summarize } from "./score.ts";
import { typicalCase } from "./typical-case.ts";

const { values: options } = parseArgs({
  options: {
    misses: { type: "boolean", default: false },
    by: { type: "boolean", default: false },
    out: { type: "string" },
  },
});
/** Not measured: the first investigations compile what the rest run. */
const warmUpRuns = 2;
const typicalRuns = 5;
const msPerTick = 10;

interface Answered {
  readonly rca: RcaCase;
  readonly prediction: Prediction;
  readonly cpuMs: number;
}

const folder = rcabenchFolder();
if (folder === undefined)
  console.log("the benchmark of real failures was not found (RCABENCH): only our own cases run");
const development = folder === undefined ? [] : developmentCases(folder);
const installed = folder === undefined ? [] : installedCases(folder);
const own = [...ownCases(), ...installed];
const inJavaScript = own.filter(({ language }) => language === "javascript");
const inOthers = own.filter(({ language }) => language !== "javascript");

const directory = mkdtempSync(join(tmpdir(), "whence-rca-bench-"));
const server = await startEmbeddedServer(directory, { WHENCE_ANALYZE_PER_MINUTE: "1000000" });
try {
  for (let run = 0; run < warmUpRuns; run++) await ask(server.url, own[run] ?? typicalCase());
  const given = await answer(server, development);
  const shown: [string, readonly Row[]][] = [
    ["development half", rowsOf(given)],
    ["  renamed", rowsOf(await answer(server, development.map(renamed)))],
    [
      "  error text alone",
      rowsOf(
        await answer(
          server,
          development.map((rca) => ({ ...rca, files: [] })),
        ),
      ),
    ],
    ["  baseline: top frame", development.map((rca) => scoreCase(rca, baseline(rca, false)))],
    ["  baseline: outside node_modules", development.map((rca) => scoreCase(rca, baseline(rca, true)))],
  ];
  const ours = await answer(server, inJavaScript);
  const others = await answer(server, inOthers);
  shown.push(...rowsOfOwn("own cases", ours), ...rowsOfOwn("Python, Go, Java, Ruby", others));
  print(shown.filter(([, rows]) => rows.length > 0));
  if (options.by) printGroups(rowsOf(given));
  await printCost(server, [...given, ...ours, ...others]);
  if (options.misses) printMisses([...given, ...ours, ...others]);
  if (options.out !== undefined) writePredictions(options.out, given);
} finally {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** One after the other, so that the processor time is the case's. */
async function answer(child: ChildServer, cases: readonly RcaCase[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const rca of cases) {
    const before = processorMs(child);
    const prediction = await ask(child.url, rca);
    answered.push({ rca, prediction, cpuMs: processorMs(child) - before });
  }
  return answered;
}

/** Of the whole server: intake, storage, investigation. Linux only; 0 elsewhere. */
function processorMs({ pid }: ChildServer): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const [user = 0, system = 0] = [fields[11], fields[12]].map(Number);
  return (user + system) * msPerTick;
}

function rowsOfOwn(name: string, answered: readonly Answered[]): [string, readonly Row[]][] {
  return [
    [`${name}, tuned on`, rowsOf(answered.filter(({ rca }) => !rca.heldOut))],
    [`${name}, held out`, rowsOf(answered.filter(({ rca }) => rca.heldOut))],
    ["  baseline: top frame", answered.map(({ rca }) => scoreCase(rca, baseline(rca, false)))],
  ];
}

function rowsOf(answered: readonly Answered[]): Row[] {
  return answered.map(({ rca, prediction }) => scoreCase(rca, prediction));
}

function print(shown: readonly (readonly [string, readonly Row[]])[]): void {
  const headings = ["", "n", "file top 1", "top 3", "function top 1", "top 3", "category", "keywords", "Brier", "ECE"];
  console.log(
    table(
      headings,
      shown.map(([name, rows]) => [name, ...cells(summarize(rows))]),
    ),
  );
}

function printGroups(rows: readonly Row[]): void {
  for (const key of ["kind", "depth"] as const) {
    const groups = [...new Set(rows.map((row) => row[key]))].sort();
    const lines = groups.map((group) => [group, ...cells(summarize(rows.filter((row) => row[key] === group)))]);
    const headings = [
      `by ${key}`,
      "n",
      "file top 1",
      "top 3",
      "function top 1",
      "top 3",
      "category",
      "keywords",
      "Brier",
      "ECE",
    ];
    console.log(`\n${table(headings, lines)}`);
  }
}

function cells(summary: Summary): string[] {
  const percent = (value: number | null): string => (value === null ? "-" : `${(100 * value).toFixed(1)} %`);
  const number = (value: number | null): string => (value === null ? "-" : value.toFixed(3));
  const { n, file1, file3, function1, function3, category, keywords, brier, calibrationError } = summary;
  return [
    String(n),
    ...[file1, file3, function1, function3, category, keywords].map(percent),
    number(brier),
    number(calibrationError),
  ];
}

async function printCost(child: ChildServer, answered: readonly Answered[]): Promise<void> {
  const typical = await answer(
    child,
    Array.from({ length: typicalRuns }, () => typicalCase()),
  );
  const row = (name: string, cases: readonly Answered[]): string[] => {
    const times = cases.map(({ cpuMs }) => cpuMs);
    return [name, String(times.length), ...[0.5, 0.95, 1].map((q) => quantile(times, q).toFixed(0))];
  };
  console.log(
    `\n${table(
      ["processor time of the server, ms", "n", "median", "p95", "max"],
      [row("the cases above", answered), row("20 files of 50 kB", typical)],
    )}`,
  );
}

function printMisses(answered: readonly Answered[]): void {
  for (const { rca, prediction } of answered) {
    const { file1, function1, category } = scoreCase(rca, prediction);
    if (file1 && function1 !== false && category !== false) continue;
    const wrong = [file1 ? "" : "file", function1 === false ? "function" : "", category === false ? "category" : ""];
    const [first] = prediction.ranked;
    const { truth } = rca;
    console.log(`\n${rca.id}: wrong ${wrong.filter((name) => name !== "").join(", ")}`);
    console.log(`  known  ${truth.file} ${truth.function}:${truth.line_start} ${truth.category}`);
    console.log(
      `  said   ${first?.file} ${first?.function}:${first?.line} ${prediction.category} ${prediction.confidence}`,
    );
  }
}

/** In the form that the benchmark's own scorer reads. */
function writePredictions(file: string, answered: readonly Answered[]): void {
  const lines = answered.map(({ rca, prediction }) => JSON.stringify({ id: rca.id, ...prediction }));
  writeFileSync(file, `${lines.join("\n")}\n`);
}
