import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A file as the service is given it. */
export interface CaseFile {
  readonly name: string;
  readonly content: string;
}

/** A place that counts as right. */
export interface Place {
  readonly file: string;
  /** Empty for data files and code outside functions. */
  readonly function: string;
  readonly line_start: number;
  readonly line_end: number;
}

/** What is known about a failure: for the score, never for the service. */
export interface Truth extends Place {
  readonly category: string;
  readonly depth: number;
  readonly keywords: readonly string[];
}

/** A recorded failure with its known cause. */
export interface RcaCase {
  readonly id: string;
  readonly kind: string;
  readonly language: string;
  /** Own cases only: whether it is kept out of sight while the engine is worked on. */
  readonly heldOut: boolean;
  readonly errorLog: string;
  readonly files: readonly CaseFile[];
  readonly truth: Truth;
  /** Other right answers; in another file than the truth's only when `strict`. */
  readonly also: readonly (Partial<Place> & { readonly file: string; readonly strict?: boolean })[];
}

type CaseRecord = Pick<RcaCase, "kind" | "truth"> & { also?: RcaCase["also"] };

const repository = join(import.meta.dirname, "../..");
const cacheFolder = process.env.WHENCE_RCA_CACHE ?? join(tmpdir(), "whence-rca");

/** The benchmark of real failures: where `RCABENCH` says, or beside the repository; undefined when it is not there. */
export function rcabenchFolder(): string | undefined {
  const folder = process.env.RCABENCH ?? join(dirname(repository), "shared/rcabench");
  return existsSync(join(folder, "run.mjs")) ? folder : undefined;
}

/** The development half, replayed once into a cache outside the repository: the first time takes minutes. */
export function developmentCases(folder: string): RcaCase[] {
  const emitted = join(cacheFolder, "emitted.jsonl");
  if (!existsSync(emitted)) replay(folder, emitted);
  const lines = readFileSync(emitted, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => {
    const { id, error_log: errorLog, files }: { id: string; error_log: string; files: CaseFile[] } = JSON.parse(line);
    return { id, errorLog, files, ...recordOf(join(folder, "cases", id, "case.json")) };
  });
}

/** Replayed by the Node that `RCABENCH_NODE` names; the benchmark's figures were taken with Node 20. */
function replay(folder: string, out: string): void {
  console.log("replaying the cases: this installs packages once and takes some minutes");
  mkdirSync(cacheFolder, { recursive: true });
  const node = process.env.RCABENCH_NODE ?? process.execPath;
  const { status } = spawnSync(node, [join(folder, "run.mjs"), "--all", "--out", out], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`replaying the cases of ${folder} ended with ${status}`);
}

function recordOf(path: string): Omit<RcaCase, "id" | "errorLog" | "files"> {
  const record: CaseRecord = JSON.parse(readFileSync(path, "utf8"));
  const { kind, truth, also = [] } = record;
  return { kind, language: "javascript", truth, also, heldOut: false };
}
