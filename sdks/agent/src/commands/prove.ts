import { type Incident, limits, secondMs, type WatchedRun } from "@whence/protocol";
import { type Proof, prove as proveFailure } from "../prove/prove.ts";
import { provingLimits } from "../prove/proving-limits.ts";
import type { EndedProgram } from "../prove/run-program.ts";
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
    json: { type: "boolean", description: "print the incident with its report as JSON" },
    markdown: { type: "boolean", description: "print the report as Markdown" },
    ...serviceOptions,
  },
  details: `Runs COMMAND, gets a report on its failure, and runs it again, up to four times, watched in each Node.js and Python process
at the places that the report names. Its output goes to standard error. It is never changed: no value is set, no code is run.

  whence prove -- npm test
  whence prove --within 60 -- node server.js

Exit codes: 0 completed or the command passed, 1 failed, 2 wrong usage.`,
  run,
};

async function run(line: CommandLine, surroundings: Surroundings): Promise<number> {
  const { stderr, signal, cwd } = surroundings;
  if (line.positionals.length === 0) throw new UsageError("no command: whence prove -- npm test");
  const agent = agentFor(line, surroundings);
  const proof = await proveFailure(line.positionals, {
    agent,
    finished: (id) => finishedIncident(agent, id, surroundings),
    filesFor: (errorText, seenIn) =>
      readSources(
        [errorText, ...seenIn.map((file) => `${file}:1`)].join("\n"),
        { ...line, values: { auto: true } },
        surroundings,
        agent.hasGivenKey ? limits.errorLogBytesMax * limits.filesMax : limits.unclaimedAgentAnalysisBytesMax,
      ),
    onRun: (number, ended, watched) => stderr.write(`${stderr.style.dim(runText(number, ended, watched))}\n`),
    program: { cwd, environment: surroundings.environment.variables },
    onOutput: (text) => stderr.write(text),
    withinMs: withinSeconds(line) * secondMs,
    clock: Date.now,
    signal,
  });
  return printProof(proof, line, surroundings);
}

function printProof(proof: Proof<Incident>, line: CommandLine, surroundings: Surroundings): number {
  const { stderr } = surroundings;
  if (proof.kind === "passed") {
    stderr.write("The command passed: there is no failure to explain.\n");
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
  const how = code === null ? "was stopped: the time is over" : code === 0 ? "passed" : `failed with exit code ${code}`;
  if (!watched) return `Run ${run} ${how}.`;
  const reached = watched.places.filter(({ hits }) => hits > 0).length;
  return plainText(`Run ${run}, watched, ${how}; ${reached} of ${watched.places.length} watched places were reached.`);
}

function withinSeconds(line: CommandLine): number {
  const given = textOption(line, "within");
  if (given === undefined) return provingLimits.withinSeconds;
  const seconds = Number(given);
  if (!(seconds > 0 && seconds <= 86_400))
    throw new UsageError(`--within takes seconds, for example 60, got "${given}"`);
  return seconds;
}
