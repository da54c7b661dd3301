import type { Command } from "./commands/command.ts";
import { defaultServiceUrl } from "./service-address.ts";

/** Returns the text of `whence --help`. */
export function generalHelp(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`);
  return `whence: root causes of errors, from a terminal or an agent

Usage: whence COMMAND [options]

${rows.join("\n")}
  ${"help".padEnd(12)} help on a command

Environment:
  WHENCE_URL      the service (${defaultServiceUrl})
  WHENCE_API_KEY  a key to use as it is; without one, the agent's own in ~/.whence
  NO_COLOR        no colors
`;
}

/** Returns the text of `whence COMMAND --help`. */
export function commandHelp({ name, summary, operands, options, details }: Command): string {
  const usage = ["whence", name, ...(Object.keys(options).length > 0 ? ["[options]"] : []), operands]
    .join(" ")
    .trimEnd();
  const names = Object.entries(options).map(
    ([option, { value }]) => `--${option}${value === undefined ? "" : ` ${value}`}`,
  );
  const width = Math.max(0, ...names.map(({ length }) => length));
  const rows = Object.values(options).map(
    ({ description }, index) => `  ${(names[index] ?? "").padEnd(width)}  ${description}`,
  );
  const list = rows.length === 0 ? "" : `\nOptions:\n${rows.join("\n")}\n`;
  return `whence ${name}: ${summary}\n\nUsage: ${usage}\n${list}\n${details}\n`;
}
