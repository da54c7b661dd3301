import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestCounts } from "@whence/protocol";
import type { TestLine } from "./changed-file.ts";
import { runInCopy } from "./run-in-copy.ts";
import type { EndedProgram, ProgramOptions } from "./run-program.ts";
import { testCountsIn } from "./test-counts.ts";
import { isOfTests } from "./test-files.ts";
import { copyTree, isWithin, type TreeCopy, TreeTooLarge } from "./tree-copy.ts";

/** Files of a tree, by their path below its root, and what their text becomes; null removes one. */
export type FileChanges = ReadonlyMap<string, string | null>;

/** A run of a command in a copy of the tree. */
export interface CopiedRun extends EndedProgram {
  readonly tests: TestCounts | null;
}

/** Ends a trial that says nothing; the message says why. */
export class Undecided extends Error {}

export const timeIsOver = "the time is over";

/** Runs a command in new copies of its tree, with files changed. The tree itself isn't touched. */
export class CopiedRuns {
  readonly #command: readonly string[];
  readonly #options: () => ProgramOptions;
  readonly #isOver: () => boolean;
  #unchanged: Promise<CopiedRun> | undefined;

  constructor(command: readonly string[], options: () => ProgramOptions, isOver: () => boolean) {
    this.#command = command;
    this.#options = options;
    this.#isOver = isOver;
  }

  /** The folder in which the command runs, without links. */
  get cwd(): Promise<string> {
    return realpath(this.#options().cwd);
  }

  /**
   * The run without changes, done once. Rejects with {@link Undecided} unless it fails with one of these messages, and
   * by code of the copy: where a package of the tree is installed, the copy may run that of the tree.
   */
  async failing(failures: readonly string[], files: readonly string[]): Promise<CopiedRun> {
    this.#unchanged ??= this.with(new Map());
    const run = await this.#unchanged;
    if (!hasFailed(run, failures))
      throw new Undecided("the command doesn't fail in the same way in a copy of the tree");
    if (files.some((file) => run.output.includes(file))) throw new Undecided("the copy runs code of the tree itself");
    return run;
  }

  /** Runs the command with files changed. Rejects with {@link Undecided} when it can't, or a time is over. */
  with(changes: FileChanges, withinMs = Number.POSITIVE_INFINITY): Promise<CopiedRun> {
    return this.after(async (tree) => {
      for (const [path, text] of changes) await change(tree, path, text);
    }, withinMs);
  }

  /** Runs the command in a copy that was prepared. Rejects with {@link Undecided} when it can't, or the time is over. */
  async after(prepare: (tree: TreeCopy) => Promise<void>, withinMs = Number.POSITIVE_INFINITY): Promise<CopiedRun> {
    const { signal } = this.#options();
    const tree = await this.#copy();
    try {
      await prepare(tree);
      const options = this.#options();
      const ended = await runInCopy(this.#command, tree, {
        ...options,
        withinMs: Math.min(options.withinMs, withinMs),
      });
      if (ended.code === null) throw new Undecided(timeIsOver);
      return { ...ended, tests: testCountsIn(ended.output) };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof Undecided ? error : new Undecided(`the copy can't be used: ${messageOf(error)}`);
    } finally {
      await tree.remove();
    }
  }

  #copy(): Promise<TreeCopy> {
    return copyTree(this.#options().cwd, this.#isOver).catch((error: unknown) => {
      this.#options().signal.throwIfAborted();
      if (!(error instanceof TreeTooLarge)) throw new Undecided(`the tree can't be copied: ${messageOf(error)}`);
      throw new Undecided(this.#isOver() ? timeIsOver : "the tree is too large to be copied");
    });
  }
}

/** Whether a run failed with one of some messages; with any, where none is known. */
export function hasFailed({ code, output }: EndedProgram, failures: readonly string[]): boolean {
  return code !== 0 && (failures.length === 0 || failures.some((message) => output.includes(message)));
}

/** Whether a run failed wherever another did in its tests: at a place where it didn't, something was repaired. */
export function failsInAll(before: EndedProgram, { output }: EndedProgram): boolean {
  const places = testPlacesIn(output);
  return [...testPlacesIn(before.output)].every((place) => places.has(place));
}

/** Whether a run failed at one of some lines of test files. */
export function failsAt({ output }: EndedProgram, lines: readonly TestLine[]): boolean {
  const places = testPlacesIn(output);
  return lines.some(({ path, line }) => places.has(testPlace(path, line)));
}

/** Returns the lines of test files that an output names, without the folder, which is another in each copy. */
function testPlacesIn(output: string): Set<string> {
  const named = [...output.matchAll(placeInFile)];
  return new Set(named.flatMap(([, path = "", line = ""]) => (isOfTests(path) ? [testPlace(path, Number(line))] : [])));
}

function testPlace(path: string, line: number): string {
  return `${path.split(/[\\/]/).at(-1)}:${line}`;
}

/** `test/a.js:12`, and `File "tests/a.py", line 12`. */
const placeInFile = /([^\s"'()<>:]{1,500}\.\w{1,5})(?::|", line )(\d{1,7})\b/g;

/** Whether a run passed, with no fewer passing tests than before. */
export function isRepaired({ code, tests }: CopiedRun, before: CopiedRun): boolean {
  if (code !== 0) return false;
  return before.tests === null || (tests !== null && tests.failed === 0 && tests.passed >= before.tests.passed);
}

/** Changes a file of the copy, unless a link leads out of it: what it leads to isn't the copy's. */
async function change({ folder }: TreeCopy, path: string, text: string | null): Promise<void> {
  const file = join(folder, path);
  if (!isWithin(folder, await existingIn(file))) throw new Undecided(`${path} leads out of the tree`);
  await mkdir(dirname(file), { recursive: true });
  if (text === null) await rm(file);
  else await writeFile(file, text);
}

/** Returns the real path of a file, or of the nearest folder above that exists. */
async function existingIn(path: string): Promise<string> {
  return realpath(path).catch(() => existingIn(dirname(path)));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
