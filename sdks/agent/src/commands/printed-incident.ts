import type { FileContent, Incident } from "@whence/protocol";
import type { Agent } from "../agent.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import { reportMarkdown } from "../terminal/report-markdown.ts";
import { reportText } from "../terminal/report-text.ts";
import { type CommandLine, exitCodes, hasFlag, type Surroundings } from "./command.ts";

/** Follows the investigation to its end, and shows its steps on a terminal. */
export async function finishedIncident(
  agent: Agent,
  id: string,
  { stderr, signal }: Pick<Surroundings, "stderr" | "signal">,
): Promise<Incident> {
  for await (const message of agent.follow(id, signal)) {
    if (message.kind === "incident") return message.incident;
    if (!stderr.isTerminal) continue;
    const { step, detail } = message.step;
    stderr.write(`${stderr.style.dim(`${step.padEnd(10)} ${plainText(detail).replaceAll("\n", " ")}`)}\n`);
  }
  return agent.incident(id, signal);
}

/** Prints the diff of an incident's report and nothing else: into a pipe exactly as it is, so that `git apply` reads it. */
export function printPatch(
  { id, report }: Incident,
  { stdout, stderr }: Pick<Surroundings, "stdout" | "stderr">,
): number {
  if (!report?.patch) {
    stderr.write(`${plainText(id)} has no patch: ${report ? "its report knows no repair" : "it has no report"}.\n`);
    return exitCodes.failed;
  }
  const { diff } = report.patch;
  stdout.write(stdout.isTerminal ? plainText(diff) : diff);
  return exitCodes.completed;
}

/** Prints an incident in the format that the command line asks for. `files` are quoted around the cause. */
export function printIncident(
  incident: Incident,
  line: CommandLine,
  { stdout }: Pick<Surroundings, "stdout">,
  files: readonly FileContent[] = [],
): void {
  if (hasFlag(line, "json")) stdout.write(`${plainJson(incident)}\n`);
  else if (hasFlag(line, "markdown")) stdout.write(reportMarkdown(incident));
  else stdout.write(reportText(incident, { style: stdout.style, columns: stdout.columns, files }));
}
