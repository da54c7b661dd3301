import { limits } from "@whence/protocol";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import { agentFor } from "./agent-for.ts";
import {
  type Command,
  type CommandLine,
  exitCodes,
  hasFlag,
  type Surroundings,
  serviceOptions,
  UsageError,
} from "./command.ts";
import { readErrorText } from "./error-input.ts";
import { finishedIncident, printIncident } from "./printed-incident.ts";
import { readSources } from "./source-input.ts";

/** The largest body to send with an existing key; the service may accept less. */
const claimedBytesMax = 2 * (limits.errorLogBytesMax + limits.filesMax * limits.fileContentBytesMax);

/** `whence rca`: finds the root cause of an error text. */
export const rca: Command = {
  name: "rca",
  summary: "find the root cause of an error",
  operands: "[FILE|-]",
  options: {
    file: {
      type: "string",
      multiple: true,
      value: "FILE",
      description: "a source file to analyze with it; repeatable, at most 20",
    },
    auto: {
      type: "boolean",
      description: "attach source files that the text names, and their imports, below the working directory",
    },
    wait: { type: "boolean", description: "follow the analysis and print its report" },
    json: {
      type: "boolean",
      description: "print JSON: the started analysis or, with --wait, the incident with its report",
    },
    markdown: { type: "boolean", description: "wait for the report and print it as Markdown" },
    ...serviceOptions,
  },
  details: `Reads an error text (a stack, a log, an alert) from FILE or from a pipe and prints the address of its incident.
Without a key it first registers as an agent and prints where to claim it.

  npm test 2>&1 | whence rca --auto --wait
  whence rca error.log --file src/cart.ts --wait

Exit codes: 0 completed, 1 failed, 2 wrong usage.`,
  run,
};

async function run(line: CommandLine, surroundings: Surroundings): Promise<number> {
  if (line.positionals.length > 1) throw new UsageError("name only one error file");
  if (hasFlag(line, "json") && hasFlag(line, "markdown")) throw new UsageError("use either --json or --markdown");
  const errorText = await readErrorText(line.positionals[0], surroundings);
  const agent = agentFor(line, surroundings);
  const bytesMax = agent.hasGivenKey ? claimedBytesMax : limits.unclaimedAgentAnalysisBytesMax;
  const files = await readSources(errorText, line, surroundings, bytesMax);
  const { stdout, signal } = surroundings;
  const started = await agent.analyze({ error_log: errorText, ...(files.length > 0 ? { files } : {}) }, signal);
  if (!hasFlag(line, "wait") && !hasFlag(line, "markdown")) {
    stdout.write(`${hasFlag(line, "json") ? plainJson(started) : plainText(started.url)}\n`);
    return exitCodes.completed;
  }
  const incident = await finishedIncident(agent, started.incident_id, surroundings);
  printIncident(incident, line, surroundings, files);
  return incident.status === "completed" ? exitCodes.completed : exitCodes.failed;
}
