import { type Incident, limits, secondMs, type TriedPatch, type WatchedRun } from "@whence/protocol";
import type { Bisected, NamedCommit, Verdict } from "../prove/bisect.ts";
import { differencesOf, failuresOf, hasFailed, type RunDifference, type TimedRun } from "../prove/compare-runs.ts";
import { type Proof, prove as proveFailure } from "../prove/prove.ts";
import { provingLimits } from "../prove/proving-limits.ts";
import type { EndedProgram } from "../prove/run-program.ts";
import type { Trial } from "../prove/try-patch.ts";
import type { Undoing, UndoRun } from "../prove/undo-change.ts";
import { plainText } from "../terminal/plain-text.ts";
import { agentFor } from "./agent-for.ts";
import {
  type Command,
  type CommandLine,
  exitCodes,
  type Surroundings,
  serviceOptions,
  textOption,
  UsageError,
} from "./command.ts";
import { finishedIncident, printIncident } from "./printed-incident.ts";
import { readSources } from "./source-input.ts";

/** `whence prove`: runs a failing command again and looks where its error came from. */
export const prove: Command = {
  name: "prove",
  summary: "run a failing command again, and see where its error comes from",
  operands: "-- COMMAND [ARGUMENT ...]",
  options: {
    within: {
      type: "string",
      value: "SECONDS",
      description: `time for all runs together (${provingLimits.withinSeconds})`,
    },
    times: {
      type: "string",
      value: "N",
      description: "run it N times first, and say what differs between the runs that failed and those that passed",
    },
    bisect: {
      type: "string",
      value: "REVISION",
      description: "find the commit with which it began to fail, after a revision of Git at which it passed",
    },
    json: { type: "boolean", description: "print the incident with its report as JSON" },
    markdown: { type: "boolean", description: "print the report as Markdown" },
    ...serviceOptions,
  },
  details: `Runs COMMAND, gets a report on its failure, and runs it again, up to four times, watched in each Node.js and Python process
at the places that the report names. Its output goes to standard error. It is never changed: no value is set, no code is run.
What isn't committed is undone in copies of the tree, part by part, and a patch of the report is tried in one.

  whence prove -- npm test
  whence prove --within 60 -- node server.js
  whence prove --times 10 -- npm test
  whence prove --bisect v1.4.0 -- npm test

Exit codes: 0 completed or the command passed, 1 failed, 2 wrong usage.`,
  run,
};

async function run(line: CommandLine, surroundings: Surroundings): Promise<number> {
  const { stderr, signal, cwd } = surroundings;
  if (line.positionals.length === 0) throw new UsageError("no command: whence prove -- npm test");
  const times = timesOf(line);
  const good = textOption(line, "bisect");
  const withinMs = withinSeconds(line) * secondMs;
  const program = { cwd, environment: surroundings.environment.variables };
  const agent = agentFor(line, surroundings);
  const proof = await proveFailure(line.positionals, {
    agent,
    finished: (id) => finishedIncident(agent, id, surroundings),
    filesFor: (errorText, seenIn, loaded) =>
      readSources(
        [errorText, ...seenIn.map((file) => `${file}:1`)].join("\n"),
        { ...line, values: { auto: true } },
        surroundings,
        agent.hasGivenKey ? limits.errorLogBytesMax * limits.filesMax : limits.unclaimedAgentAnalysisBytesMax,
        loaded,
      ),
    onRun: (number, ended, watched) => stderr.write(`${stderr.style.dim(runText(number, ended, watched))}\n`),
    onTrial: (trial) => stderr.write(`${stderr.style.dim(trialText(trial))}\n`),
    onUndoRun: (undone) => stderr.write(`${stderr.style.dim(undoRunText(undone))}\n`),
    onUndone: (commit, undoing) => stderr.write(plainText(undoneText(commit, undoing))),
    ...(times > 1 && {
      repeated: {
        times,
        onTime: (time, timed) => stderr.write(`${stderr.style.dim(timeText(time, timed))}\n`),
        onTimed: (runs) => stderr.write(plainText(timesText(runs))),
      },
    }),
    ...(good !== undefined && {
      bisection: {
        good,
        onRun: (commit, verdict) => stderr.write(stderr.style.dim(plainText(commitText(commit, verdict)))),
        onBisected: (bisected) => stderr.write(plainText(bisectedText(bisected))),
      },
    }),
    program,
    onOutput: (text) => stderr.write(text),
    withinMs,
    clock: Date.now,
    signal,
  });
  return printProof(proof, line, surroundings);
}

function printProof(proof: Proof<Incident>, line: CommandLine, surroundings: Surroundings): number {
  const { stderr } = surroundings;
  if (proof.kind === "passed") {
    const passed = timesOf(line) === 1 ? "The command passed" : "The command passed each time";
    stderr.write(`${passed}: there is no failure to explain.\n`);
    return exitCodes.completed;
  }
  if (proof.kind === "silent") {
    stderr.write("The command failed without printing anything: there is no error to explain.\n");
    return exitCodes.failed;
  }
  if (proof.problem !== null)
    stderr.write(plainText(`What was seen last couldn't be analyzed: ${messageOf(proof.problem)}\n`));
  printIncident(proof.incident, line, surroundings, proof.files);
  return proof.incident.status === "completed" ? exitCodes.completed : exitCodes.failed;
}

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function runText(run: number, { code }: EndedProgram, watched: WatchedRun | null): string {
  const how = howText(code);
  if (!watched) return `Run ${run} ${how}.`;
  const reached = watched.places.filter(({ hits }) => hits > 0).length;
  return plainText(`Run ${run}, watched, ${how}; ${reached} of ${watched.places.length} watched places were reached.`);
}

const verdicts = {
  fails: "fails",
  passes: "passes",
  unjudged: "says nothing",
} as const satisfies Record<Verdict, string>;

function commitText({ id, subject }: NamedCommit, verdict: Verdict): string {
  return `Commit ${id.slice(0, shortIdLength)} ${verdicts[verdict]}: ${subject}\n`;
}

function bisectedText(bisected: Bisected): string {
  switch (bisected.kind) {
    case "found": {
      const { id, author, at, subject } = bisected.commit;
      return `It fails since commit ${id.slice(0, shortIdLength)} by ${author} at ${at}: ${subject}\n`;
    }
    case "among": {
      const why = bisected.isLate ? "The time is over" : "The others couldn't be judged";
      return `${why}: it fails since one of ${bisected.commits} commits.\n`;
    }
    case "undecided":
      return `No commit was found: ${bisected.why}.\n`;
  }
}

const shortIdLength = 9;

const outcomes = {
  repaired: "the command passes",
  changed: "the error is gone, and something else fails or is missing",
  fails: "the error occurs as before",
} as const satisfies Record<TriedPatch["outcome"], string>;

function trialText(trial: Trial): string {
  if (trial.kind === "undecided") return plainText(`The patch wasn't tried: ${trial.why}.`);
  const { outcome, before, after } = trial.tried;
  const counts = before && after ? ` (${after.passed} tests passed, ${before.passed} without it)` : "";
  return `With the patch, in a copy of the tree: ${outcomes[outcome]}${counts}.`;
}

const withoutChange = {
  passes: "passes",
  fails: "fails as before",
  differs: "fails in another way",
} as const satisfies Record<UndoRun["verdict"], string>;

function undoRunText({ commit, undone, parts, verdict }: UndoRun): string {
  const what = `${undone} of ${parts} changed ${parts === 1 ? "place" : "places"}`;
  return `Without ${what} ${changeText(commit)}, in a copy of the tree, it ${withoutChange[verdict]}.`;
}

function undoneText(commit: NamedCommit | null, undoing: Undoing): string {
  switch (undoing.kind) {
    case "undone":
      return `What was changed in ${undoing.files.join(", ")} makes it fail.\n`;
    case "fails":
      return `The code that was changed ${changeText(commit)} doesn't make it fail.\n`;
    case "undecided":
      return `Whether what was changed ${changeText(commit)} makes it fail isn't known: ${undoing.why}.\n`;
  }
}

/** To follow what was changed. */
function changeText(commit: NamedCommit | null): string {
  return commit === null ? "since the last commit" : `in commit ${commit.id.slice(0, shortIdLength)}`;
}

function howText(code: number | null): string {
  return code === null ? "was stopped: the time is over" : code === 0 ? "passed" : `failed with exit code ${code}`;
}

function timeText(time: number, { ended, tookMs }: TimedRun): string {
  return `Time ${time} ${howText(ended.code)} after ${secondsText(tookMs)}.`;
}

/** How often the command failed, how, and what tells those runs from the others. */
function timesText(runs: readonly TimedRun[]): string {
  const failed = runs.filter(hasFailed).length;
  const lines = [`Failed ${failed} of ${runs.length} times.`];
  const failures = failuresOf(runs);
  if (failures.length > 1)
    lines.push("The failures differ:", ...failures.map(({ text, runs: times }) => `  ${times} of ${failed}: ${text}`));
  const differences = differencesOf(runs);
  lines.push(...differences.map(differenceText));
  if (failed > 0 && failed < runs.length && differences.length === 0)
    lines.push("Nothing that the runs printed before the failure, nor their time, tells them apart.");
  return `${lines.join("\n")}\n`;
}

function differenceText(difference: RunDifference): string {
  switch (difference.kind) {
    case "seeds":
      return `Seeds of the runs that failed: ${difference.failed.join(", ")}; of the others: ${difference.passed.join(", ")}.`;
    case "line":
      return `Only the runs that failed printed: ${difference.text}`;
    case "order":
      return `Only in the runs that failed, the first line came before the second:\n  ${difference.first}\n  ${difference.second}`;
    case "duration":
      return `The runs that failed took ${rangeText(difference.failedMs)}, the others ${rangeText(difference.passedMs)}.`;
  }
}

function rangeText([shortest, longest]: readonly [number, number]): string {
  return `${secondsText(shortest)} to ${secondsText(longest)}`;
}

function secondsText(ms: number): string {
  return `${(ms / secondMs).toFixed(1)} s`;
}

function timesOf(line: CommandLine): number {
  const given = textOption(line, "times");
  if (given === undefined) return 1;
  const times = Number(given);
  if (!(Number.isInteger(times) && times >= 2 && times <= provingLimits.timesMax))
    throw new UsageError(`--times takes a whole number from 2 to ${provingLimits.timesMax}, got "${given}"`);
  return times;
}

function withinSeconds(line: CommandLine): number {
  const given = textOption(line, "within");
  if (given === undefined) return provingLimits.withinSeconds;
  const seconds = Number(given);
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UsageError(`--within takes seconds, for example 60, got "${given}"`);
  return seconds;
}
