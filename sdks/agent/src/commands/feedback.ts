import { type ActualCause, actualCauseSchema, type FeedbackRequest, type Verdict, verdicts } from "@whence/protocol";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import { agentFor } from "./agent-for.ts";
import {
  type Command,
  type CommandLine,
  exitCodes,
  hasFlag,
  serviceOptions,
  textOption,
  UsageError,
} from "./command.ts";
import { requireAgent } from "./status.ts";

const notCounted =
  "It doesn't change the confidence of later reports, because the agent or key that asked for an analysis can't calibrate it.\n";

/** `whence feedback`: says whether a report was right. */
export const feedback: Command = {
  name: "feedback",
  summary: "say whether an incident's report was right",
  operands: `ID ${verdicts.join("|")}`,
  options: {
    reason: { type: "string", value: "TEXT", description: "why" },
    file: { type: "string", value: "PATH", description: "the file that caused it instead" },
    category: { type: "string", value: "NAME", description: "the actual category" },
    service: { type: "string", value: "NAME", description: "the service that caused it instead" },
    json: { type: "boolean", description: "print all verdicts as JSON" },
    ...serviceOptions,
  },
  details: `Right means that the first candidate is the cause. A new verdict replaces your previous one, which stays on record.
Feedback calibrates the confidence of the organization's later reports, except for what an agent or a key says of its own analyses.`,
  async run(line, surroundings) {
    const { id, opinion } = readLine(line);
    const { stdout, stderr, signal } = surroundings;
    const agent = agentFor(line, surroundings);
    await requireAgent(agent);
    const given = await agent.feedback(id, opinion, signal);
    if (hasFlag(line, "json")) stdout.write(`${plainJson(given)}\n`);
    else stderr.write(plainText(`saved: the report of ${id} is ${opinion.verdict}\n${given.counts ? "" : notCounted}`));
    return exitCodes.completed;
  },
};

function readLine(line: CommandLine): { id: string; opinion: FeedbackRequest } {
  const [id, said, ...rest] = line.positionals;
  const verdict = verdicts.find((one) => one === said);
  if (id === undefined || verdict === undefined || rest.length > 0) {
    throw new UsageError(`whence feedback takes an incident's id and one of ${verdicts.join(", ")}`);
  }
  return { id, opinion: opinionOf(verdict, line) };
}

function opinionOf(verdict: Verdict, line: CommandLine): FeedbackRequest {
  const reason = textOption(line, "reason");
  const cause = actualCause(line);
  return {
    verdict,
    ...(reason === undefined ? {} : { reason }),
    ...(cause === undefined ? {} : { actual_cause: cause }),
  };
}

function actualCause(line: CommandLine): ActualCause | undefined {
  const named = ["file", "category", "service"].map((name) => [name, textOption(line, name)] as const);
  const given = named.filter(([, value]) => value !== undefined);
  if (given.length === 0) return undefined;
  const cause = actualCauseSchema.safeParse(Object.fromEntries(given));
  if (cause.success) return cause.data;
  const [wrong] = cause.error.issues;
  throw new UsageError(`--${wrong?.path.join(".") ?? "category"}: ${wrong?.message ?? "is not as it should be"}`);
}
