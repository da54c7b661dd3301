import { join, relative } from "node:path";
import { type UndoneChange, undoneChangeLimits } from "@whence/protocol";
import type { NamedCommit } from "./bisect.ts";
import {
  type ChangePart,
  committedFiles,
  filesOf,
  partsOf,
  uncommittedFiles,
  undoneFiles,
  without,
} from "./changed-files.ts";
import { type CopiedRun, type CopiedRuns, hasFailed, isRepaired, timeIsOver, Undecided } from "./copied-runs.ts";
import { type Git, gitIn } from "./git.ts";
import { minimalPart } from "./minimal-part.ts";
import type { ProgramOptions } from "./run-program.ts";
import { rootOf } from "./tree-copy.ts";

/** What undoing a change showed. */
export type Undoing =
  /** The smallest part found without which the command passes. */
  | { readonly kind: "undone"; readonly undone: UndoneChange; readonly files: readonly string[] }
  /** The failure occurs without the change as well. */
  | { readonly kind: "fails" }
  | { readonly kind: "undecided"; readonly why: string };

/** What undoing a change asks of its surroundings. */
export interface UndoPorts {
  readonly options: () => ProgramOptions;
  readonly isOver: () => boolean;
  /** Called after each run without so many of the parts. */
  readonly onRun: (run: UndoRun) => void;
}

/** A run without some parts of a change. */
export interface UndoRun {
  readonly commit: NamedCommit | null;
  readonly undone: number;
  readonly parts: number;
  readonly verdict: "passes" | "fails" | "differs";
}

/**
 * Undoes a change in copies of the tree: that of a commit, or what isn't committed. If the command passes without it,
 * the smallest part is searched for without which it does. Tests stay as they are, and so do lists of dependencies.
 * Returns null when there is no such change, or the folder is in no repository.
 */
export async function undoChange(
  commit: NamedCommit | null,
  failures: readonly string[],
  runs: CopiedRuns,
  ports: UndoPorts,
): Promise<Undoing | null> {
  const cwd = await runs.cwd;
  const root = await rootOf(cwd);
  const git = gitIn(cwd, ports.options().environment);
  try {
    const parts = partsOf(await changedFiles(git, root, commit));
    if (parts.length === 0) return null;
    return await new Search({ commit, parts, failures, root, cwd }, runs, ports).run();
  } catch (error) {
    if (error instanceof Undecided) return { kind: "undecided", why: error.message };
    throw error;
  }
}

/** None where git can't say. */
function changedFiles(git: Git, root: string, commit: NamedCommit | null): ReturnType<typeof uncommittedFiles> {
  const files = commit === null ? uncommittedFiles(git, root) : committedFiles(git, root, commit.id);
  return files.catch((error: unknown) => {
    if (error instanceof Undecided) throw error;
    return [];
  });
}

interface SearchedChange {
  readonly commit: NamedCommit | null;
  readonly parts: readonly ChangePart[];
  /** How the messages of the failing error and its causes begin. */
  readonly failures: readonly string[];
  readonly root: string;
  readonly cwd: string;
}

class Search {
  readonly #change: SearchedChange;
  readonly #runs: CopiedRuns;
  readonly #ports: UndoPorts;

  constructor(change: SearchedChange, runs: CopiedRuns, ports: UndoPorts) {
    this.#change = change;
    this.#runs = runs;
    this.#ports = ports;
  }

  async run(): Promise<Undoing> {
    const { failures, parts, root } = this.#change;
    for (const whole of this.#wholes()) {
      const after = await this.#without(whole);
      const fails = after !== null && hasFailed(after, failures);
      if (after === null || (!fails && after.code !== 0)) continue;
      const before = await this.#runs.failing(
        failures,
        filesOf(parts).map(({ path }) => join(root, path)),
      );
      if (fails) return { kind: "fails" };
      if (isRepaired(after, before)) return this.#narrowed(whole, before, after);
    }
    throw new Undecided(this.#ports.isOver() ? timeIsOver : "something else fails without it");
  }

  /** All parts; then without the files that the change added, which the command itself may need. */
  #wholes(): (readonly ChangePart[])[] {
    const { parts } = this.#change;
    const kept = parts.filter(({ file }) => file.before !== null);
    return kept.length === 0 || kept.length === parts.length ? [parts] : [parts, kept];
  }

  async #narrowed(whole: readonly ChangePart[], before: CopiedRun, passed: CopiedRun): Promise<Undoing> {
    let after = passed;
    const repairs = async (part: readonly ChangePart[]): Promise<boolean> => {
      const run = await this.#without(part).catch((error: unknown) => {
        // What can't be run says nothing.
        if (error instanceof Undecided) return null;
        throw error;
      });
      if (run === null || !isRepaired(run, before)) return false;
      after = run;
      return true;
    };
    const least = await minimalPart(whole, repairs, this.#ports.isOver);
    const files = undoneFiles(least, (path) => this.#nameOf(path));
    const places = files.flatMap(({ file, lines }) => lines.map((line) => ({ file, line })));
    return {
      kind: "undone",
      undone: {
        commit: this.#change.commit,
        places: places.slice(0, undoneChangeLimits.placesMax),
        diff: withinLength(files.flatMap(({ diff }) => diff ?? [])),
        before: before.tests,
        after: after.tests,
      },
      files: files.map(({ file }) => file),
    };
  }

  /** Returns the run without some parts; null where they can't be undone together. */
  async #without(parts: readonly ChangePart[]): Promise<CopiedRun | null> {
    const { commit, parts: all, failures } = this.#change;
    const changes = without(parts);
    if (changes === null) return null;
    const run = await this.#runs.with(changes);
    const verdict = hasFailed(run, failures) ? "fails" : run.code === 0 ? "passes" : "differs";
    this.#ports.onRun({ commit, undone: parts.length, parts: all.length, verdict });
    return run;
  }

  /** Files are named as those that are sent: from the folder in which the command runs. */
  #nameOf(path: string): string {
    return relative(this.#change.cwd, join(this.#change.root, path));
  }
}

/** Returns whole diffs of files, as many as fit. */
function withinLength(diffs: readonly string[]): string {
  const room = undoneChangeLimits.diffLengthMax;
  return diffs.reduce((text, diff) => (text.length + diff.length <= room ? text + diff : text), "");
}
