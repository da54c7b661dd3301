import { type ParseArgsConfig, parseArgs } from "node:util";
import { WhenceError } from "@whence/protocol";
import { claim } from "./commands/claim.ts";
import { type Command, type CommandLine, exitCodes, type Surroundings, UsageError } from "./commands/command.ts";
import { completionCommand } from "./commands/completion.ts";
import { feedback } from "./commands/feedback.ts";
import { incidents } from "./commands/incidents.ts";
import { ignore, mute, reopen, resolve } from "./commands/lifecycle.ts";
import { mcp } from "./commands/mcp.ts";
import { monitors } from "./commands/monitors.ts";
import { comment, take } from "./commands/owner.ts";
import { prove } from "./commands/prove.ts";
import { rca } from "./commands/rca.ts";
import { register } from "./commands/register.ts";
import { releases } from "./commands/releases.ts";
import { show } from "./commands/show.ts";
import { sources } from "./commands/sources.ts";
import { status } from "./commands/status.ts";
import { verify } from "./commands/verify.ts";
import { ServiceRefusal } from "./errors.ts";
import { commandHelp, generalHelp } from "./help.ts";
import { plainText } from "./terminal/plain-text.ts";
import { version } from "./version.ts";

/** Every command, as the help lists them. */
export const commands: readonly Command[] = [
  rca,
  prove,
  incidents,
  show,
  resolve,
  mute,
  ignore,
  reopen,
  take,
  comment,
  register,
  status,
  claim,
  feedback,
  verify,
  sources,
  releases,
  monitors,
  mcp,
  completionCommand(() => commands),
];

/** Runs a command line and resolves with the exit code. Prints errors to standard error. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stderr } = surroundings;
  try {
    return await dispatch(args, surroundings);
  } catch (error) {
    if (surroundings.signal.aborted) return exitCodes.failed;
    stderr.write(`${stderr.style.red("whence:")} ${plainText(messageOf(error))}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

async function dispatch(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const [name, ...rest] = args;
  const { stdout, stderr } = surroundings;
  if (name === undefined) {
    stderr.write(generalHelp(commands));
    return exitCodes.usage;
  }
  if (name === "--version" || name === "-V") {
    stdout.write(`${version}\n`);
    return exitCodes.completed;
  }
  const helped = name === "help" ? rest[0] : undefined;
  if (name === "--help" || name === "-h" || (name === "help" && helped === undefined)) {
    stdout.write(generalHelp(commands));
    return exitCodes.completed;
  }
  const command = commandNamed(helped ?? name);
  if (helped !== undefined || rest.some((arg) => arg === "--help" || arg === "-h")) {
    stdout.write(commandHelp(command));
    return exitCodes.completed;
  }
  return command.run(parseLine(command, rest), surroundings);
}

function commandNamed(name: string): Command {
  const found = commands.find((command) => command.name === name);
  if (found) return found;
  const near = commands.find((command) => command.name.startsWith(name.slice(0, 2)));
  const advice = near ? `did you mean ${near.name}? ` : "";
  throw new UsageError(`unknown command "${name.slice(0, 60)}": ${advice}see whence --help`);
}

/** Parses the arguments of a command; throws a usage error when the command doesn't accept them. */
export function parseLine(command: Command, args: readonly string[]): CommandLine {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const [name, { type, multiple = false }] of Object.entries(command.options)) options[name] = { type, multiple };
  let line: CommandLine;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    line = { values: toValues(values), positionals };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split(". To specify")[0] ?? "") : String(error);
    throw new UsageError(`${said}: see whence ${command.name} --help`);
  }
  if (command.operands === "" && line.positionals.length > 0) {
    throw new UsageError(`whence ${command.name} takes no arguments, but got "${line.positionals[0] ?? ""}"`);
  }
  return line;
}

function toValues(values: Record<string, unknown>): CommandLine["values"] {
  const entries = Object.entries(values).map(([name, value]) => {
    if (typeof value === "string" || typeof value === "boolean") return [name, value] as const;
    return [name, Array.isArray(value) ? value.map(String) : undefined] as const;
  });
  return Object.fromEntries(entries);
}

function messageOf(error: unknown): string {
  if (error instanceof ServiceRefusal) {
    const wait = error.retryAfterSeconds === null ? "" : ` (in ${error.retryAfterSeconds} s)`;
    return `${error.message}${wait} [${error.code}]`;
  }
  if (error instanceof WhenceError) return `${error.message} [${error.code}]`;
  return error instanceof Error ? error.message : String(error);
}
