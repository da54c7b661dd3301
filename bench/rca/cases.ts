import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type CaseTree, isInstalled, treeOf } from "./case-tree.ts";
import type { CaseFile } from "./corpora/case-files.ts";
import { cacheFolder } from "./corpora/package-cache.ts";
import type { Form } from "./forms.ts";

/** A place that counts as right. */
export interface Place {
  readonly file: string;
  /** Empty for data files and code outside of functions. */
  readonly function: string;
  readonly line_start: number;
  readonly line_end: number;
}

/** The truth about a failure: for scoring, never for the service. */
export interface Truth extends Place {
  readonly category: string;
  readonly depth: number;
  readonly keywords: readonly string[];
}

/** A recorded failure with its known cause. */
export interface RecordedCase {
  readonly id: string;
  /** The corpus it belongs to: `rcabench`, `own`, `mined`, or `mutant`. */
  readonly corpus: string;
  /** The repository or service. A case is scored by a model that was trained without its group. */
  readonly group: string;
  readonly kind: "package" | "service";
  readonly language: string;
  /** Whether a file that counts as right is in the stack. */
  readonly onStack: boolean;
  readonly errorLog: string;
  readonly tree: CaseTree;
  /** Whether the code is of another version than the one that failed. */
  readonly isOtherVersion: boolean;
  readonly truth: Truth;
  /** Other right answers; those in another file than the truth's are `strict`. */
  readonly also: readonly (Partial<Place> & { readonly file: string; readonly strict?: boolean })[];
}

/** A failure as it is handed in. */
export interface RcaCase extends RecordedCase {
  readonly form: Form;
  readonly files: readonly CaseFile[];
}

type CaseRecord = Pick<RecordedCase, "truth"> & { kind: string; also?: RecordedCase["also"] };

const repository = join(import.meta.dirname, "../..");
const program = "run.mjs";

/**
 * Returns the folder of the benchmark of real failures: `RCABENCH`, or next to the repository; undefined when it
 * doesn't exist.
 */
export function rcabenchFolder(): string | undefined {
  const folder = process.env.RCABENCH ?? join(dirname(repository), "shared/rcabench");
  return existsSync(join(folder, program)) ? folder : undefined;
}

/** The development half, replayed once into a cache outside the repository: the first time takes minutes. */
export function developmentCases(folder: string): RecordedCase[] {
  return replayed(folder, join(cacheFolder, "emitted.jsonl"), "rcabench");
}

/**
 * Returns our own failures with published packages: texts in the benchmark's format, one per case, replayed by its
 * program. Packages aren't stored; they are installed once, and again when a text changes.
 */
export function installedCases(folder: string): RecordedCase[] {
  const source = join(import.meta.dirname, "installed");
  const texts = readdirSync(source)
    .sort()
    .map((name) => [basename(name, ".txt"), readFileSync(join(source, name), "utf8")] as const);
  const version = createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 12);
  const copy = join(cacheFolder, "installed");
  const emitted = join(copy, `${version}.jsonl`);
  if (!existsSync(emitted)) {
    rmSync(copy, { recursive: true, force: true });
    for (const [id, text] of texts) unpack(text, join(copy, "cases", id));
    copyFileSync(join(folder, program), join(copy, program));
  }
  return replayed(copy, emitted, "own");
}

/** Writes the record, then each file under its name. */
function unpack(text: string, folder: string): void {
  const [record = "", ...sections] = text.split(/^==== /m);
  const files = sections.map((section) => {
    const end = section.indexOf("\n");
    return [section.slice(0, end), section.slice(end + 1)] as const;
  });
  for (const [name, content] of [["case.json", record] as const, ...files]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

function replayed(folder: string, emitted: string, corpus: string): RecordedCase[] {
  if (!existsSync(emitted)) replay(folder, emitted);
  const lines = readFileSync(emitted, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => {
    const { id, error_log: errorLog, files }: { id: string; error_log: string; files: CaseFile[] } = JSON.parse(line);
    const record = recordOf(join(folder, "cases", id, "case.json"));
    const tree = treeOf(files, (path) =>
      record.kind === "service" ? !isInstalled(path) : isBeside(path, record.truth.file),
    );
    const onStack = isOnStack(errorLog, record);
    return { id, corpus, group: id, errorLog, tree, isOtherVersion: false, ...record, onStack };
  });
}

/** Whether two files are of the same installed package. */
function isBeside(path: string, other: string): boolean {
  const packageOf = (file: string): string => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? "";
  return packageOf(path) === packageOf(other);
}

/** Replayed by the Node that `RCABENCH_NODE` names; the benchmark's figures were taken with Node 20. */
function replay(folder: string, out: string): void {
  console.log("replaying the cases: this installs packages once and takes some minutes");
  mkdirSync(cacheFolder, { recursive: true });
  const node = process.env.RCABENCH_NODE ?? process.execPath;
  const { status } = spawnSync(node, [join(folder, program), "--all", "--out", out], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`replaying the cases of ${folder} ended with ${status}`);
}

function recordOf(path: string): Pick<RecordedCase, "kind" | "language" | "truth" | "also"> {
  const { kind, truth, also = [] }: CaseRecord = JSON.parse(readFileSync(path, "utf8"));
  return { kind: kind === "npm-bug" ? "package" : "service", language: "javascript", truth, also };
}

/** Whether the log names a line of a file that counts as right; the JVM prints base names only. */
export function isOnStack(errorLog: string, { truth, also }: Pick<RecordedCase, "truth" | "also">): boolean {
  const right = [truth.file, ...also.filter(({ strict }) => strict).map(({ file }) => file)];
  return right.some(
    (file) =>
      errorLog.includes(`${file}:`) || errorLog.includes(`${file}"`) || errorLog.includes(`(${basename(file)}:`),
  );
}
