import type { Incident } from "@whence/protocol";
import type { Agent } from "../agent.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import { agentFor } from "./agent-for.ts";
import {
  type Command,
  type CommandLine,
  type CommandOption,
  exitCodes,
  hasFlag,
  serviceOptions,
  UsageError,
} from "./command.ts";
import { requireAgent } from "./status.ts";

/** Whose key changes incidents, and the exit codes: the end of such a command's help. */
export const whoChanges = `WHENCE_API_KEY is a key with the scope analyze (or full); without one, the registered agent's key is used.
The incident and the audit log name the key.

Exit codes: 0 done, or it was so already; 1 failed; 2 wrong usage.`;

export const jsonOption = {
  json: { type: "boolean", description: "print the incidents as JSON" },
} as const satisfies Record<string, CommandOption>;

interface IncidentCommand extends Pick<Command, "name" | "summary" | "options" | "details"> {
  /** The change that a command line asks for, at a time in milliseconds since 1970. */
  readonly changeOf: (
    line: CommandLine,
    now: number,
  ) => (agent: Agent, id: string, signal: AbortSignal) => Promise<Incident>;
  /** What an incident is then: `muted until it rises`. */
  readonly said: (incident: Incident) => string;
}

/** A command that changes each incident that it names, and says what each is then. */
export function changeEach({ name, summary, options, details, changeOf, said }: IncidentCommand): Command {
  return {
    name,
    summary,
    operands: "ID...",
    options: { ...options, ...jsonOption, ...serviceOptions },
    details: details === "" ? whoChanges : `${details}\n${whoChanges}`,
    async run(line, surroundings) {
      const ids = line.positionals;
      if (ids.length === 0) throw new UsageError(`whence ${name} takes an incident's id, or several`);
      const change = changeOf(line, Date.now());
      const { stdout, stderr, signal } = surroundings;
      const agent = agentFor(line, surroundings);
      await requireAgent(agent);
      for (const id of ids) {
        const incident = await change(agent, id, signal);
        if (hasFlag(line, "json")) stdout.write(`${plainJson(incident)}\n`);
        else stderr.write(plainText(`${id} ${said(incident)}\n`));
      }
      return exitCodes.completed;
    },
  };
}
