import { join, relative } from "node:path";
import { type UndoneChange, undoneChangeLimits } from "@whence/protocol";
import type { NamedCommit } from "./bisect.ts";
import type { ChangePart } from "./changed-file.ts";
import {
  changedTestLines,
  committedFiles,
  filesOf,
  partsOf,
  uncommittedFiles,
  undoneFiles,
  without,
} from "./changed-files.ts";
import {
  type CopiedRun,
  type CopiedRuns,
  failsAt,
  failsInAll,
  hasFailed,
  isRepaired,
  timeIsOver,
  Undecided,
} from "./copied-runs.ts";
import { type Git, gitIn } from "./git.ts";
import { type Judged, repairingPart } from "./repairing-part.ts";
import type { ProgramOptions } from "./run-program.ts";
import { cut, partsNear, type SuspectPlace } from "./searched-parts.ts";
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
  readonly verdict: Judged["verdict"];
}

/**
 * Undoes a change in copies of the tree: that of a commit, or what isn't committed. If the command passes without it,
 * the smallest part is searched for without which it does. Tests stay as they are, and so do lists of dependencies.
 * Returns null when there is no such change, or the folder is in no repository.
 */
export async function undoChange(
  commit: NamedCommit | null,
  failure: UndoneFailure,
  runs: CopiedRuns,
  ports: UndoPorts,
): Promise<Undoing | null> {
  const cwd = await runs.cwd;
  const root = await rootOf(cwd);
  const git = gitIn(cwd, ports.options().environment);
  try {
    const parts = partsOf(await changedFiles(git, root, commit));
    if (parts.length === 0) return null;
    return await new Search({ ...failure, commit, parts, root, cwd }, runs, ports).run();
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

/** The failure that may be gone without a change. */
export interface UndoneFailure {
  /** How the messages of the failing error and its causes begin. */
  readonly failures: readonly string[];
  /** Where its report infers the cause, the most likely place first. Changes there are undone first. */
  readonly suspects: readonly SuspectPlace[];
}

interface SearchedChange extends UndoneFailure {
  readonly commit: NamedCommit | null;
  readonly parts: readonly ChangePart[];
  readonly root: string;
  readonly cwd: string;
}

interface UndoneRun extends Judged {
  readonly run: CopiedRun | null;
}

class Search {
  readonly #change: SearchedChange;
  readonly #runs: CopiedRuns;
  readonly #ports: UndoPorts;
  /** What was run, by the places of the parts in the change. */
  readonly #known = new Map<string, UndoneRun>();
  /** How long the command as it is took, or without the whole change, whichever was longer. */
  #tookMs = 0;

  constructor(change: SearchedChange, runs: CopiedRuns, ports: UndoPorts) {
    this.#change = change;
    this.#runs = runs;
    this.#ports = ports;
  }

  async run(): Promise<Undoing> {
    const { failures, parts, root, suspects } = this.#change;
    const paths = filesOf(parts).map(({ path }) => join(root, path));
    const before = await this.#timed(() => this.#runs.failing(failures, paths));
    const judge = (part: readonly ChangePart[]): Promise<UndoneRun> => this.#judged(part, before);
    const { isOver } = this.#ports;
    const fails = (await judge(parts)).verdict === "fails";
    const areTestsNew = fails && (await this.#failsInNewTests(before));
    if (fails && !areTestsNew) return { kind: "fails" };
    const first = partsNear(suspects, parts, (path) => this.#nameOf(path));
    const least = await repairingPart(parts, { judge, cut, isOver, first });
    const after = least && (await judge(least)).run;
    if (after) return this.#undone(least, before, after);
    if (isOver()) throw new Undecided(timeIsOver);
    throw new Undecided(
      areTestsNew ? "what fails was changed in the tests as well" : "something else fails without it",
    );
  }

  /** A test that is new, or was changed, fails without what it tests: that doesn't say that the change is right. */
  async #failsInNewTests(before: CopiedRun): Promise<boolean> {
    const { root, commit } = this.#change;
    const git = gitIn(root, this.#ports.options().environment);
    return failsAt(before, await changedTestLines(git, root, commit?.id ?? null).catch(() => []));
  }

  /** Runs the command without some parts, once. */
  async #judged(parts: readonly ChangePart[], before: CopiedRun): Promise<UndoneRun> {
    const { parts: all } = this.#change;
    const key = parts.map((part) => all.indexOf(part)).join();
    const known = this.#known.get(key);
    if (known) return known;
    const isWhole = parts.length === all.length;
    const run = await this.#without(parts, isWhole).catch((error: unknown) => {
      // What can't be run says nothing.
      if (error instanceof Undecided && !isWhole) return null;
      throw error;
    });
    const verdict = run === null ? "differs" : this.#verdictOf(run, before);
    const judged = { verdict, run, passed: run?.tests?.passed ?? 0 } as const;
    this.#known.set(key, judged);
    const { commit } = this.#change;
    if (run) this.#ports.onRun({ commit, undone: parts.length, parts: all.length, verdict });
    return judged;
  }

  #verdictOf(run: CopiedRun, before: CopiedRun): Judged["verdict"] {
    if (isRepaired(run, before)) return "passes";
    return hasFailed(run, this.#change.failures) && failsInAll(before, run) ? "fails" : "differs";
  }

  /** Returns the run without some parts; null where they can't be undone together. */
  async #without(parts: readonly ChangePart[], isWhole: boolean): Promise<CopiedRun | null> {
    const changes = without(parts);
    if (changes === null) return null;
    if (isWhole) return this.#timed(() => this.#runs.with(changes));
    return this.#runs.with(changes, longerAtMost * this.#tookMs + startMs);
  }

  async #timed(run: () => Promise<CopiedRun>): Promise<CopiedRun> {
    const begun = performance.now();
    const ended = await run();
    this.#tookMs = Math.max(this.#tookMs, performance.now() - begun);
    return ended;
  }

  #undone(least: readonly ChangePart[], before: CopiedRun, after: CopiedRun): Undoing {
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

  /** Files are named as those that are sent: from the folder in which the command runs. */
  #nameOf(path: string): string {
    return relative(this.#change.cwd, join(this.#change.root, path));
  }
}

/** A run without a part that takes so many times as long as others, and the start of a program besides, is cut off. */
const longerAtMost = 4;
const startMs = 5_000;

/** Returns whole diffs of files, as many as fit. */
function withinLength(diffs: readonly string[]): string {
  const room = undoneChangeLimits.diffLengthMax;
  return diffs.reduce((text, diff) => (text.length + diff.length <= room ? text + diff : text), "");
}
