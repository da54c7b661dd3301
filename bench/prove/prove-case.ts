import { writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { AnalyzeRequest, Report, TestRun, TriedPatch, WatchedRun } from "@whence/protocol";
import type { Bisected } from "../../sdks/agent/src/prove/bisect.ts";
import { prove } from "../../sdks/agent/src/prove/prove.ts";
import type { Undoing } from "../../sdks/agent/src/prove/undo-change.ts";
import { autoFiles } from "../../sdks/agent/src/sources/auto-files.ts";
import { reportOnSubject, subjectOf } from "../rca/answer.ts";
import type { Place as RecordedPlace } from "../rca/cases.ts";
import { readCaseFile } from "../rca/corpora/case-files.ts";
import type { CorpusCase } from "../rca/corpora/corpus-case.ts";
import { modelWithout } from "../rca/folds.ts";
import { type App, sitePackages } from "../rca/mutate/app.ts";
import { type Checkout, checkOut, packagesFolder } from "./checkout.ts";

const withinMsUsual = 60_000;
const filesMax = { files: 20, bytes: 8_000_000 };

/** What a first candidate has right. */
interface Right {
  readonly file: boolean;
  readonly function: boolean;
}

/** What watching a mutant's program changed. */
export interface Proven {
  readonly id: string;
  readonly operator: string;
  readonly inferred: Right;
  readonly proven: Right;
  readonly isConfirmed: boolean;
  /** Whether a candidate in the right function was refuted. */
  readonly isTruthRefuted: boolean;
  /** Whether the first report says by which message the failure is known in another run. */
  readonly isRecognized: boolean;
  /** Whether the failure was thrown again while it was watched. */
  readonly isSeenAgain: boolean;
  /** What the failing test ran, in the last run in which that was seen. */
  readonly ran: TestRun | null;
  readonly runs: number;
  /** What became of the patches that were tried. */
  readonly trials: readonly (TriedPatch["outcome"] | "undecided")[];
  /** What undoing a change showed, that of a commit last; null where there was none to undo. */
  readonly undoing: Undoing | null;
  readonly bisected: Bisected | null;
  /** Runs in copies of the tree, those that tried patches aside. */
  readonly copies: number;
  readonly tookMs: number;
}

/** A program that fails because of a known mistake. */
export interface Failing {
  readonly id: string;
  readonly group: string;
  /** Where it is, and other places that count as right. */
  readonly truth: RecordedPlace;
  readonly also: readonly RecordedPlace[];
  /** The kind of mistake. */
  readonly operator: string;
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** A revision at which the command passed; the commit with which it began to fail is searched for if it is given. */
  readonly good?: string;
  /** How long the proof may take; a minute unless it is given. */
  readonly withinMs?: number;
}

/** Proves a mutant. Null when its program passes or no report was written. */
export async function proveMutant(read: CorpusCase, app: App, folder: string): Promise<Proven | null> {
  const files = [...new Set((read.edits ?? []).map(({ file }) => file))];
  const checkout = checkOut(read, folder);
  const write = (one: CorpusCase): void => {
    for (const file of files) writeFileSync(join(folder, checkout.nameOf(file)), readCaseFile(one, file) ?? "");
  };
  write(read);
  try {
    const { id, group, truth, also = [], operator = "" } = inCheckout(read, checkout);
    const program = { command: commandOf(app), folder, environment: environmentOf(app, folder) };
    return await proveFailing({ id, group, truth, also, operator, ...program });
  } finally {
    write({ ...read, edits: [] });
    checkout.remove();
  }
}

/** Proves a failure with the engine in this process. Null when the program passes or no report was written. */
export async function proveFailing(failing: Failing): Promise<Proven | null> {
  const { folder, good, group, withinMs = withinMsUsual } = failing;
  const reports: Report[] = [];
  const trials: Proven["trials"][number][] = [];
  const watchedRuns: WatchedRun[] = [];
  let asked: AnalyzeRequest | undefined;
  let copies = 0;
  let undoing: Undoing | null = null;
  let bisected: Bisected | null = null;
  const begun = Date.now();
  const count = (): void => {
    copies += 1;
  };
  const proof = await prove(failing.command, {
    agent: {
      analyze: async (request) => {
        asked = request;
        return { incident_id: "inc_bench", status: "queued", url: "" };
      },
    },
    finished: async () => {
      const report = await reportOn(asked, modelWithout(group));
      reports.push(report);
      return { report };
    },
    filesFor: async (text, seenIn, loaded) =>
      (await autoFiles([text, ...seenIn.map((file) => `${file}:1`)].join("\n"), folder, filesMax, loaded)).files,
    onRun: (_, __, watched) => {
      if (watched) watchedRuns.push(watched);
    },
    onTrial: (trial) => trials.push(trial.kind === "tried" ? trial.tried.outcome : "undecided"),
    onUndoRun: count,
    onUndone: (_, undone) => {
      undoing = undone;
    },
    ...(good !== undefined && {
      bisection: {
        good,
        onRun: count,
        onBisected: (found: Bisected) => {
          bisected = found;
        },
      },
    }),
    onOutput: () => undefined,
    program: { cwd: folder, environment: failing.environment },
    withinMs,
    clock: Date.now,
    signal: AbortSignal.timeout(2 * withinMs),
  });
  const how = { trials, undoing, bisected, copies, tookMs: Date.now() - begun, ...seenIn(watchedRuns, reports) };
  return proof.kind === "reported" ? compared(failing, reports, { runs: proof.runs, ...how }) : null;
}

function inCheckout(read: CorpusCase, { nameOf }: Checkout): CorpusCase {
  const moved = <Of extends { readonly file: string }>(place: Of): Of => ({ ...place, file: nameOf(place.file) });
  return { ...read, truth: moved(read.truth), also: read.also?.map(moved) };
}

function reportOn(request: AnalyzeRequest | undefined, model: ReturnType<typeof modelWithout>): Promise<Report> {
  const { error_log: errorLog = "", files, observed } = request ?? {};
  const subject = subjectOf({ errorLog, files: files ?? [] });
  return reportOnSubject({ ...subject, input: { ...subject.input, ...(observed && { observed }) } }, { model });
}

/** Returns whether the failure was known and seen again, and what its test ran. */
function seenIn(
  runs: readonly WatchedRun[],
  reports: readonly Report[],
): Pick<Proven, "isRecognized" | "isSeenAgain" | "ran"> {
  const messages = reports.flatMap((report) => report.watch_for ?? []);
  const hits = runs.flatMap((run) => run.hits.filter(({ kind }) => kind === "threw"));
  return {
    isRecognized: (reports[0]?.watch_for ?? []).length > 0,
    isSeenAgain: hits.some(({ error = "" }) => messages.some((message) => error.includes(message))),
    ran: runs.findLast(({ ran }) => ran)?.ran ?? null,
  };
}

function compared(
  read: Failing,
  reports: readonly Report[],
  how: Omit<Proven, "id" | "operator" | "inferred" | "proven" | "isConfirmed" | "isTruthRefuted">,
): Proven | null {
  const [first] = reports;
  const last = reports.at(-1);
  if (!first || !last) return null;
  const [candidate] = last.candidates;
  return {
    id: read.id,
    operator: read.operator,
    inferred: rightIn(first, read),
    proven: rightIn(last, read),
    isConfirmed: candidate?.seen === "confirmed",
    isTruthRefuted: last.candidates.some(
      ({ seen, location }) => seen === "refuted" && location !== null && isIn(location, read.truth),
    ),
    ...how,
  };
}

type Place = NonNullable<Report["candidates"][number]["location"]>;

function rightIn({ candidates: [first] }: Report, { truth, also }: Failing): Right {
  const location = first?.location;
  const truths = [truth, ...also].filter(({ file }) => file === location?.file);
  return {
    file: truths.length > 0,
    function: location ? truths.some((one) => isIn(location, one) || isAround(location, one)) : false,
  };
}

function isIn({ file, function: name }: Place, truth: { readonly file: string; readonly function: string }): boolean {
  return file === truth.file && lastPart(name ?? "") === lastPart(truth.function);
}

/** The line before a mistake, or after it, is in the same statement. */
function isAround(
  { line }: Place,
  { line_start: from, line_end: to }: { readonly line_start: number; readonly line_end: number },
): boolean {
  return line !== null && line >= from - 1 && line <= to + 1;
}

function lastPart(name: string): string {
  return name.split(/[.#:]/).at(-1) ?? "";
}

function commandOf(app: App): string[] {
  return app.language === "python"
    ? ["/usr/bin/python3", "-B", app.entry]
    : [process.execPath, "--max-old-space-size=512", app.entry];
}

function environmentOf(app: App, folder: string): NodeJS.ProcessEnv {
  return {
    ...{ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: join(folder, "tmp"), TMPDIR: join(folder, "tmp") },
    ...{ LANG: "C.UTF-8", NODE_NO_WARNINGS: "1" },
    ...{
      PYTHONPATH: [packagesFolder, sitePackages].map((one) => join(folder, one)).join(delimiter),
      PYTHONHASHSEED: "0",
      PYTHONDONTWRITEBYTECODE: "1",
    },
    ...app.env,
  };
}
