import {
  type FileContent,
  type FirstFailingCommit,
  type Incident,
  limits,
  type Observed,
  type TriedPatch,
  type WatchedRun,
  type WatchPlace,
  watchedRunLimits,
} from "@whence/protocol";
import type { Agent } from "../agent.ts";
import { type Bisected, type BisectedFailure, type BisectPorts, bisect } from "./bisect.ts";
import { hasFailed, type TimedRun } from "./compare-runs.ts";
import { type EndedProgram, type ProgramOptions, runProgram } from "./run-program.ts";
import { type Trial, tryPatch } from "./try-patch.ts";
import { watchRun } from "./watch-run.ts";

/** What an analysis came to. */
type Reported = Pick<Incident, "report">;

/** What a proof asks of its surroundings. */
export interface ProvePorts<Analyzed extends Reported> {
  readonly agent: Pick<Agent, "analyze">;
  /** Waits for the end of an analysis. */
  readonly finished: (id: string) => Promise<Analyzed>;
  /** Reads the source files that explain an error text, and those in which something was seen. */
  readonly filesFor: (errorText: string, seenIn: readonly string[]) => Promise<readonly FileContent[]>;
  /** Called after each run of the command, and `null` when it was not watched. */
  readonly onRun: (run: number, ended: EndedProgram, watched: WatchedRun | null) => void;
  /** Called once a patch of the report was tried in a copy of the tree, or couldn't be. */
  readonly onTrial: (trial: Trial) => void;
  /** Set to search for the commit with which the failure began. */
  readonly bisection?: Bisection;
  readonly program: Omit<ProgramOptions, "onOutput" | "outputBytesMax" | "withinMs" | "signal">;
  /** Set to run the command several times before its first failure is explained. */
  readonly repeated?: RepeatedRuns;
  /** Called with the output of each run up to the first that fails. */
  readonly onOutput: (text: string) => void;
  readonly withinMs: number;
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** How often a command is run, and what is called after that. */
export interface RepeatedRuns {
  readonly times: number;
  /** Called after each run. */
  readonly onTime: (time: number, timed: TimedRun) => void;
  /** Called with all runs that ended by themselves. */
  readonly onTimed: (runs: readonly TimedRun[]) => void;
}

/** The revision at which the command passed, and what is called of the search for the commit. */
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
 * Runs a failing command, gets a report on its failure, and runs it again, watched where the report says, until the
 * origin of the failure was seen, nothing new is left to watch, or the runs or the time are used up. A patch of a report
 * is tried in a copy of the tree.
 */
export async function prove<Analyzed extends Reported>(
  command: readonly string[],
  ports: ProvePorts<Analyzed>,
): Promise<Proof<Analyzed>> {
  const { agent, finished, onRun, clock, signal } = ports;
  const until = clock() + ports.withinMs;
  const options = (): ProgramOptions => ({
    ...{ ...ports.program, signal, outputBytesMax: limits.errorLogBytesMax / 4 },
    onOutput: () => undefined,
    withinMs: Math.max(1, until - clock()),
  });
  const first = await firstFailure(command, options, ports, until);
  if (first === null) return { kind: "passed" };
  const errorText = first.output;
  if (errorText.trim() === "") return { kind: "silent" };
  let files = await ports.filesFor(errorText, []);
  const runs: WatchedRun[] = [];
  const tried: TriedPatch[] = [];
  let since: FirstFailingCommit | undefined;
  const isOver = (): boolean => signal.aborted || clock() >= until;
  // What comes and goes on its own isn't repaired by a patch after which it is gone.
  let problem: unknown = null;
  let isSteady = !ports.repeated;
  const report = async (): Promise<Analyzed> => {
    const observed: Observed = { runs, ...(tried.length > 0 && { tried }), ...(since && { since }) };
    const request = { error_log: errorText, ...(files.length > 0 && { files: [...files] }), observed };
    const incident = await finished((await agent.analyze(request, signal)).incident_id);
    const { patch, watch_for: failures = [] } = incident.report ?? {};
    if (!patch || !isSteady || isOver() || tried.length >= watchedRunLimits.triedPatchesMax) return incident;
    if (tried.some(({ diff }) => diff === patch.diff)) return incident;
    const trial = await tryPatch({ command, patch, failures }, options, isOver);
    signal.throwIfAborted();
    ports.onTrial(trial);
    isSteady = trial.kind === "tried";
    if (trial.kind === "undecided") return incident;
    tried.push(trial.tried);
    try {
      const next = await report();
      return next.report ? next : incident;
    } catch (error) {
      signal.throwIfAborted();
      problem = error;
      return incident;
    }
  };
  const watchedPlaces = new Set<string>();
  let incident = await report();
  let run = 1;
  while (run < watchedRunLimits.provingRunsMax && clock() < until && !isProven(incident)) {
    const places = incident.report?.watch ?? [];
    if (places.every((place) => watchedPlaces.has(keyOf(place)))) break;
    const failures = incident.report?.watch_for ?? [];
    run += 1;
    const { ended, watched } = await watchRun({ run, command, places, failures }, options());
    onRun(run, ended, watched);
    // A failure that comes and goes is watched for again at the same places.
    if (ended.code === 0) {
      isSteady = false;
      continue;
    }
    for (const place of places) watchedPlaces.add(keyOf(place));
    runs.push(watched);
    files = await ports.filesFor(errorText, filesIn(watched));
    try {
      const next = await report();
      if (!next.report) break;
      incident = next;
    } catch (error) {
      signal.throwIfAborted();
      problem = error;
      break;
    }
  }
  const found = await bisected(command, ports, { options, isOver, failures: incident.report?.watch_for ?? [] });
  if (found) {
    since = found;
    try {
      const next = await report();
      if (next.report) incident = next;
    } catch (error) {
      signal.throwIfAborted();
      problem = error;
    }
  }
  return { kind: "reported", incident, files, runs: run, problem };
}

/** Searches for the commit with which the failure began, if that is wanted; undefined when none was found. */
async function bisected<Analyzed extends Reported>(
  command: readonly string[],
  { bisection }: ProvePorts<Analyzed>,
  { options, isOver, failures }: Pick<BisectPorts, "options" | "isOver"> & Pick<BisectedFailure, "failures">,
): Promise<FirstFailingCommit | undefined> {
  if (!bisection) return undefined;
  const { good, onRun, onBisected } = bisection;
  const ended = await bisect({ command, good, failures }, { options, isOver, onRun });
  onBisected(ended);
  return ended.kind === "found" ? { commit: ended.commit, diff: ended.diff, good } : undefined;
}

/** Runs the command, as often as wanted within the time, and returns its first failure; null when there was none. */
async function firstFailure<Analyzed extends Reported>(
  command: readonly string[],
  options: () => ProgramOptions,
  { repeated, clock, onRun, onOutput }: ProvePorts<Analyzed>,
  until: number,
): Promise<EndedProgram | null> {
  if (!repeated) {
    const ended = await runProgram(command, { ...options(), onOutput });
    onRun(1, ended, null);
    return ended.code === 0 ? null : ended;
  }
  const runs: TimedRun[] = [];
  while (runs.length < repeated.times && (runs.length === 0 || clock() < until)) {
    const begun = clock();
    const ended = await runProgram(command, { ...options(), ...(!runs.some(hasFailed) && { onOutput }) });
    const timed = { ended, tookMs: clock() - begun };
    runs.push(timed);
    repeated.onTime(runs.length, timed);
  }
  const [first] = runs;
  const finished = runs.filter(({ ended }) => ended.code !== null);
  repeated.onTimed(finished);
  // The last run may have been cut off by the end of the time, which says nothing; a first one that never ends does.
  return (finished.length === 0 ? first : finished.find(hasFailed))?.ended ?? null;
}

/** The files of a run in which something was seen, the latest first. */
function filesIn({ hits }: WatchedRun): string[] {
  return [
    ...new Set(
      [...hits].reverse().flatMap(({ file, callers }) => [file, ...callers.slice(0, 1).map((one) => one.file)]),
    ),
  ];
}

function isProven({ report }: Reported): boolean {
  return report?.candidates[0]?.seen === "confirmed";
}

function keyOf({ file, line, follow_from: from }: WatchPlace): string {
  return `${file}:${line}${from === undefined ? "" : ` from ${from}`}`;
}
