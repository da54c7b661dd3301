import { agentFor } from "./agent-for.ts";
import { type Command, exitCodes, hasFlag, serviceOptions, UsageError } from "./command.ts";
import { finishedIncident, printIncident, printPatch } from "./printed-incident.ts";
import { requireAgent } from "./status.ts";

/** `whence show`: prints an incident's report. */
export const show: Command = {
  name: "show",
  summary: "print an incident's report",
  operands: "ID",
  options: {
    wait: { type: "boolean", description: "wait until the investigation has ended" },
    json: { type: "boolean", description: "print the incident with its report as JSON" },
    markdown: { type: "boolean", description: "print the report as Markdown" },
    patch: { type: "boolean", description: "print only the report's patch, for git apply" },
    ...serviceOptions,
  },
  details: `Prints the report of any incident that the key may read, whether telemetry, an alert, or a person opened it.
WHENCE_API_KEY is a key with the scope read (or full); without one, the registered agent's key is used.

  whence incidents --service orders
  whence show inc_01kb...
  whence show inc_01kb... --patch | git apply

Exit codes: 0 printed, 1 failed or without a patch, 2 wrong usage.`,
  async run(line, surroundings) {
    const [id, ...rest] = line.positionals;
    if (id === undefined || rest.length > 0) throw new UsageError("whence show takes an incident's id");
    const formats = ["json", "markdown", "patch"].filter((name) => hasFlag(line, name));
    if (formats.length > 1) throw new UsageError(`use one of ${formats.map((name) => `--${name}`).join(" and ")}`);
    const agent = agentFor(line, surroundings);
    await requireAgent(agent);
    const incident = hasFlag(line, "wait")
      ? await finishedIncident(agent, id, surroundings)
      : await agent.incident(id, surroundings.signal);
    if (hasFlag(line, "patch")) return printPatch(incident, surroundings);
    printIncident(incident, line, surroundings);
    return exitCodes.completed;
  },
};
