import type { Monitor } from "@whence/protocol";
import type { WhenceClient } from "../client.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import {
  type Command,
  type CommandLine,
  exitCodes,
  hasFlag,
  type Output,
  type Surroundings,
  serviceOptions,
  textOption,
  UsageError,
} from "./command.ts";
import { newMonitor, watchedText } from "./new-monitor.ts";
import { organizationClient } from "./organization-client.ts";

const actions = ["list", "add", "pause", "resume", "remove"] as const;
const usage = "whence monitors takes list, add, or pause, resume, or remove with a monitor's id or name";

/** `whence monitors`: what Whence checks on its own. */
export const monitors: Command = {
  name: "monitors",
  summary: "list, add, pause, resume, or remove uptime checks, thresholds, and check-ins",
  operands: `${actions.join("|")} [ID|NAME]`,
  choices: actions,
  options: {
    uptime: { type: "string", value: "ADDRESS", description: "add: check that this URL answers" },
    metric: {
      type: "string",
      value: "NAME",
      description: "add: watch failures, failed-requests, memory, event-loop-delay, or processes of --service",
    },
    above: { type: "string", value: "N", description: "with --metric: alert above this value" },
    below: { type: "string", value: "N", description: "with --metric: alert below this value" },
    "check-in": { type: "string", value: "SLUG", description: "add: expect a job to report its runs under this name" },
    cron: { type: "string", value: "CRONTAB", description: "with --check-in: when the job runs, in UTC" },
    every: { type: "string", value: "TIME", description: "with --check-in: the time between runs: 30m, 2h, 7d" },
    name: { type: "string", value: "NAME", description: "add: what to call it" },
    service: { type: "string", value: "NAME", description: "add: the service that it is about, as telemetry names it" },
    env: { type: "string", value: "NAME", description: "add: the environment (PROD)" },
    severity: { type: "string", value: "NAME", description: "add: critical, high, medium, or low (high)" },
    "alert-after": { type: "string", value: "N", description: "add: failed checks in a row before it alerts (1)" },
    json: { type: "boolean", description: "print JSON" },
    ...serviceOptions,
  },
  details: `An alert opens an incident, which is investigated like any other. What else a monitor can do is under Settings, Monitors.

  whence monitors add --uptime https://shop.example.com/health --service storefront
  whence monitors add --metric memory --above 900 --service orders
  whence monitors add --check-in nightly-backup --cron "0 3 * * *"

WHENCE_API_KEY must be a key with the scope full; list takes the scope read. The audit log names the key. The key of a
check-in's reports is printed once.

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  async run(line, surroundings) {
    const [action, named, ...others] = line.positionals;
    const isPlain = Object.keys(line.values).every((option) => option === "json" || option === "url");
    if (others.length > 0 || (action !== "add" && !isPlain)) throw new UsageError(usage);
    if (named === undefined) {
      if (action === "list") return list(line, surroundings);
      if (action === "add") return add(line, surroundings);
    } else if (action === "pause" || action === "resume" || action === "remove") {
      return change(action, named, { line, surroundings });
    }
    throw new UsageError(usage);
  },
};

function clientFor(line: CommandLine, surroundings: Surroundings): WhenceClient {
  return organizationClient(surroundings, { url: textOption(line, "url"), scope: "Full" });
}

async function list(line: CommandLine, surroundings: Surroundings): Promise<number> {
  const { stdout, signal } = surroundings;
  const { monitors: known } = await clientFor(line, surroundings).monitors(signal);
  if (hasFlag(line, "json")) stdout.write(`${plainJson(known)}\n`);
  else stdout.write(plainText(known.map(row).join("") || "no monitors\n"));
  return exitCodes.completed;
}

async function add(line: CommandLine, surroundings: Surroundings): Promise<number> {
  const wanted = newMonitor(line);
  const { stdout, signal } = surroundings;
  const added = await clientFor(line, surroundings).addMonitor(wanted, signal);
  const { monitor, check_in_key: key } = added;
  if (hasFlag(line, "json")) stdout.write(`${plainJson(added)}\n`);
  else stdout.write(plainText(`added ${row(monitor)}`));
  if (key !== null && monitor.check_in && !hasFlag(line, "json")) {
    stdout.write(plainText(`report its runs at ${monitor.check_in.url}?key=${key} (the key is shown only now)\n`));
  }
  return exitCodes.completed;
}

async function change(
  action: "pause" | "resume" | "remove",
  named: string,
  { line, surroundings }: { readonly line: CommandLine; readonly surroundings: Surroundings },
): Promise<number> {
  const { stdout, signal } = surroundings;
  const client = clientFor(line, surroundings);
  const { id, name } = find((await client.monitors(signal)).monitors, named);
  if (action !== "remove") return print(await client.switchMonitor(id, action, signal), line, stdout);
  const removed = await client.removeMonitor(id, signal);
  stdout.write(hasFlag(line, "json") ? `${plainJson(removed)}\n` : plainText(`removed ${id} ${name}\n`));
  return exitCodes.completed;
}

function print(monitor: Monitor, line: CommandLine, stdout: Output): number {
  stdout.write(hasFlag(line, "json") ? `${plainJson(monitor)}\n` : plainText(row(monitor)));
  return exitCodes.completed;
}

/** Finds a monitor by its id, or else by a name that no other has. */
function find(known: readonly Monitor[], named: string): Monitor {
  const ofId = known.find(({ id }) => id === named);
  if (ofId) return ofId;
  const [first, ...others] = known.filter(({ name }) => name === named);
  if (first === undefined) throw new UsageError(`no monitor has the id or name "${named.slice(0, 60)}"`);
  if (others.length > 0) throw new UsageError(`several monitors are called "${first.name}": give an id`);
  return first;
}

function row(monitor: Monitor): string {
  const { id, name, state, last_result } = monitor;
  const why = state === "failing" || state === "alerting" ? `; ${last_result?.reason ?? "no result"}` : "";
  return `${id} ${name}: ${state}, ${watchedText(monitor)}${why}\n`;
}
