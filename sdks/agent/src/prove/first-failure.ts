import { hasFailed, type TimedRun } from "./compare-runs.ts";
import { type EndedProgram, type ProgramOptions, runProgram } from "./run-program.ts";

/** The number of runs of a command, and callbacks after each. */
export interface RepeatedRuns {
  readonly times: number;
  /** Called after each run. */
  readonly onTime: (time: number, timed: TimedRun) => void;
  /** Called with all runs that ended by themselves. */
  readonly onTimed: (runs: readonly TimedRun[]) => void;
}

/** What running a command until it fails asks of its surroundings. */
interface FirstFailurePorts {
  /** Set to run the command several times before its first failure is explained. */
  readonly repeated?: RepeatedRuns;
  /** Called after the run, unless it is repeated. */
  readonly onRun: (run: number, ended: EndedProgram, watched: null) => void;
  /** Called with the output of each run up to the first that fails. */
  readonly onOutput: (text: string) => void;
  readonly clock: () => number;
}

/** Runs a command, as often as wanted within the time, and returns its first failure; null when there was none. */
export async function firstFailure(
  command: readonly string[],
  { repeated, clock, onRun, onOutput }: FirstFailurePorts,
  options: () => ProgramOptions,
  isOver: () => boolean,
): Promise<EndedProgram | null> {
  if (!repeated) {
    const ended = await runProgram(command, { ...options(), onOutput });
    onRun(1, ended, null);
    return ended.code === 0 ? null : ended;
  }
  const runs: TimedRun[] = [];
  while (runs.length < repeated.times && (runs.length === 0 || !isOver())) {
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
