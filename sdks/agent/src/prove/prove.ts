import { type FileContent, limits, type WatchedRun, type WatchPlace, watchedRunLimits } from "@whence/protocol";
import { type Bisected, type BisectPorts, bisect, type NamedCommit } from "./bisect.ts";
import { CopiedRuns } from "./copied-runs.ts";
import { ExplainedFailure, type ExplanationPorts, type Reported } from "./explained-failure.ts";
import { firstFailure, type RepeatedRuns } from "./first-failure.ts";
import { mayBeWatched } from "./may-be-watched.ts";
import type { EndedProgram, ProgramOptions } from "./run-program.ts";
import { type Trial, tryPatch } from "./try-patch.ts";
import { type Undoing, type UndoPorts, undoChange } from "./undo-change.ts";
import { watchRun } from "./watch-run.ts";

/** What a proof asks of its surroundings. */
export interface ProvePorts<Analyzed extends Reported> extends ExplanationPorts<Analyzed> {
  /** Called after each run of the command, and `null` when it was not watched. */
  readonly onRun: (run: number, ended: EndedProgram, watched: WatchedRun | null) => void;
  /** Called once a patch of the report was tried in a copy of the tree, or couldn't be. */
  readonly onTrial: (trial: Trial) => void;
  /** Called after each run without a part of a change. */
  readonly onUndoRun: UndoPorts["onRun"];
  /** Called once a change was undone: that of a commit, or, for null, what isn't committed. */
  readonly onUndone: (commit: NamedCommit | null, undoing: Undoing) => void;
  /** Set to search for the commit with which the failure began. */
  readonly bisection?: Bisection;
  readonly program: Omit<ProgramOptions, "onOutput" | "outputBytesMax" | "withinMs" | "signal">;
  /** Set to run the command several times before its first failure is explained. */
  readonly repeated?: RepeatedRuns;
  /** Called with the output of each run up to the first that fails. */
  readonly onOutput: (text: string) => void;
  readonly withinMs: number;
  readonly clock: () => number;
}

/** The revision at which the command passed, and the callbacks of the search for the commit. */
export interface Bisection extends Pick<BisectPorts, "onRun"> {
  readonly good: string;
  readonly onBisected: (bisected: Bisected) => void;
}

/** The end of a proof: the command passed, or its failure was reported. */
export type Proof<Analyzed> =
  | { readonly kind: "passed" }
  | { readonly kind: "silent" }
  | {
      readonly kind: "reported";
      readonly incident: Analyzed;
      readonly files: readonly FileContent[];
      readonly runs: number;
      /** Why the last run's analysis has no report; null when it has. */
      readonly problem: unknown;
    };

/**
 * Runs a failing command, gets a report on its failure, and looks whether what isn't committed makes it fail, or, if that
 * is wanted, which commit. If the cause isn't known then, it runs the command again, watched where the report says, until
 * the origin of the failure was seen, nothing new is left to watch, or the runs or the time are used up. A patch of a
 * report is tried in a copy of the tree.
 */
export async function prove<Analyzed extends Reported>(
  command: readonly string[],
  ports: ProvePorts<Analyzed>,
): Promise<Proof<Analyzed>> {
  const { clock, signal } = ports;
  const until = clock() + ports.withinMs;
  const options = (): ProgramOptions => ({
    ...ports.program,
    signal,
    outputBytesMax: limits.errorLogBytesMax / 4,
    onOutput: () => undefined,
    withinMs: Math.max(1, until - clock()),
  });
  const isOver = (): boolean => signal.aborted || clock() >= until;
  const first = await firstFailure(command, ports, options, () => clock() >= until);
  if (first === null) return { kind: "passed" };
  if (first.output.trim() === "") return { kind: "silent" };
  const failure = await ExplainedFailure.of(first.output, ports);
  const proving = new Proving(command, { failure, output: first.output }, ports, options, isOver);
  await proving.undo(null);
  await proving.bisect();
  signal.throwIfAborted();
  const runs = await proving.watch();
  return { kind: "reported", incident: failure.incident, files: failure.files, runs, problem: failure.problem };
}

/** The steps by which the origin of a failure is searched for. Each adds to what the failure's report is based on. */
class Proving<Analyzed extends Reported> {
  readonly #command: readonly string[];
  readonly #failure: ExplainedFailure<Analyzed>;
  readonly #output: string;
  readonly #ports: ProvePorts<Analyzed>;
  readonly #options: () => ProgramOptions;
  readonly #isOver: () => boolean;
  readonly #copied: CopiedRuns;
  readonly #watched = new Set<string>();
  /**
   * Whether the failure occurs every time. If one that comes and goes is absent after a patch, the patch hasn't fixed
   * it.
   */
  #isSteady: boolean;

  constructor(
    command: readonly string[],
    { failure, output }: { readonly failure: ExplainedFailure<Analyzed>; readonly output: string },
    ports: ProvePorts<Analyzed>,
    options: () => ProgramOptions,
    isOver: () => boolean,
  ) {
    this.#command = command;
    this.#failure = failure;
    this.#output = output;
    this.#ports = ports;
    this.#options = options;
    this.#isOver = isOver;
    this.#copied = new CopiedRuns(command, options, isOver);
    this.#isSteady = !ports.repeated;
  }

  /**
   * Looks for the part of a change that makes the command fail: that of a commit, or, for null, what isn't committed. This
   * takes at most half of the time that is left.
   */
  async undo(commit: NamedCommit | null): Promise<void> {
    const { watch_for: failures = [], candidates = [] } = this.#failure.report ?? {};
    const suspects = candidates.flatMap(({ location }) =>
      location?.line == null ? [] : [{ file: location.file, line: location.line }],
    );
    // Without a message to look for, or where it comes and goes, a run that passes says nothing.
    if (!this.#isSteady || failures.length === 0 || this.#isOver()) return;
    const { clock, signal, onUndoRun: onRun, onUndone } = this.#ports;
    const until = clock() + this.#options().withinMs / 2;
    const options = (): ProgramOptions => ({ ...this.#options(), withinMs: Math.max(1, until - clock()) });
    const isOver = (): boolean => this.#isOver() || clock() >= until;
    const runs = new CopiedRuns(this.#command, options, isOver);
    const undoing = await undoChange(commit, { failures, suspects }, runs, { options, isOver, onRun });
    signal.throwIfAborted();
    if (!undoing) return;
    onUndone(commit, undoing);
    if (undoing.kind === "undone") await this.#failure.without(undoing.undone, undoing.files);
  }

  /** Runs the command, watched, while that may show more. Returns the number of runs with the first, unwatched one. */
  async watch(): Promise<number> {
    await this.#tryPatches();
    let run = 1;
    while (run < watchedRunLimits.provingRunsMax && !this.#isOver() && !this.#failure.isProven) {
      const { report } = this.#failure;
      const { watch: places = [], watch_for: failures = [] } = report ?? {};
      // Without a place to watch, the second run shows which files the program loads.
      if (!report || (run > 1 && places.every((place) => this.#watched.has(keyOf(place))))) break;
      if (!mayBeWatched(places, this.#output)) break;
      run += 1;
      const { ended, watched, loaded } = await watchRun(
        { run, command: this.#command, places, failures },
        this.#options(),
      );
      this.#ports.onRun(run, ended, watched);
      // A failure that comes and goes is watched for again at the same places.
      if (ended.code === 0) {
        this.#isSteady = false;
        continue;
      }
      for (const place of places) this.#watched.add(keyOf(place));
      if (!(await this.#failure.watched(watched, loaded))) break;
      await this.#tryPatches();
    }
    return run;
  }

  /** Searches for the commit with which the failure began, if that is wanted. */
  async bisect(): Promise<void> {
    const { bisection } = this.#ports;
    if (!bisection) return;
    const { good, onRun, onBisected } = bisection;
    const failures = this.#failure.report?.watch_for ?? [];
    const ports = { options: this.#options, isOver: this.#isOver, onRun };
    const ended = await bisect({ command: this.#command, good, failures }, ports);
    onBisected(ended);
    if (ended.kind !== "found") return;
    if (!(await this.#failure.since({ commit: ended.commit, diff: ended.diff, good }))) return;
    await this.undo(ended.commit);
    await this.#tryPatches();
  }

  /** Tries the patch of the report, and that of the report which follows. */
  async #tryPatches(): Promise<void> {
    while (this.#isSteady && !this.#isOver() && this.#failure.tried.length < watchedRunLimits.triedPatchesMax) {
      const { patch, watch_for: failures = [] } = this.#failure.report ?? {};
      if (!patch || this.#failure.tried.some(({ diff }) => diff === patch.diff)) return;
      const trial = await tryPatch(patch, failures, this.#copied);
      this.#ports.signal.throwIfAborted();
      this.#ports.onTrial(trial);
      this.#isSteady = trial.kind === "tried";
      if (trial.kind === "undecided" || !(await this.#failure.triedPatch(trial.tried))) return;
    }
  }
}

function keyOf({ file, line, follow_from: from }: WatchPlace): string {
  return `${file}:${line}${from === undefined ? "" : ` from ${from}`}`;
}
