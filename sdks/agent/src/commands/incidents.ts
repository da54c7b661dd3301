import { incidentSorts, incidentStatuses, lifecycleStates, severities, triggerKinds } from "@whence/protocol";
import type { IncidentQuery } from "../client.ts";
import { incidentList } from "../terminal/incident-list.ts";
import { plainJson } from "../terminal/plain-text.ts";
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
import { timeOption } from "./time-option.ts";

const limitDefault = 20;
const limitMax = 100;

/** `whence incidents`: lists incidents, newest first. */
export const incidents: Command = {
  name: "incidents",
  summary: "list incidents, newest first",
  operands: "",
  options: {
    service: { type: "string", value: "NAME", description: "only those of this service" },
    env: { type: "string", value: "NAME", description: "only those of this environment" },
    status: { type: "string", value: "STATUS", description: `by investigation: ${incidentStatuses.join(", ")}` },
    state: { type: "string", value: "STATE", description: `only those that are ${lifecycleStates.join(", ")}` },
    owner: { type: "string", value: "EMAIL", description: "only those of this member, or of none" },
    severity: { type: "string", value: "LEVEL", description: `only those of this severity: ${severities.join(", ")}` },
    trigger: { type: "string", value: "KIND", description: `only those opened by: ${triggerKinds.join(", ")}` },
    fingerprint: { type: "string", value: "ID", description: "only those of this failure" },
    since: {
      type: "string",
      value: "TIME",
      description: "only those opened since then: 90m, 6h, 7d, or a time in UTC",
    },
    until: { type: "string", value: "TIME", description: "only those opened before then" },
    search: {
      type: "string",
      value: "TEXT",
      description: "only those that match a search: text, service:cart, is:open, -release:1.1.0",
    },
    limit: { type: "string", value: "N", description: `how many, 1 to ${limitMax} (${limitDefault})` },
    sort: { type: "string", value: "ORDER", description: `${incidentSorts.join(", ")} (newest)` },
    before: { type: "string", value: "CURSOR", description: "the next page, as the one before names it" },
    json: { type: "boolean", description: "print JSON" },
    ...serviceOptions,
  },
  details: `Lists what telemetry, alerts, and people opened, with the root cause that was found and how likely it is.
WHENCE_API_KEY is a key with the scope read (or full); without one, the registered agent's key is used.

  whence incidents --service orders --since 6h
  whence show inc_01kb...

Exit codes: 0 listed, 1 failed, 2 wrong usage.`,
  async run(line, surroundings) {
    const query = queryOf(line);
    const { stdout, stderr, signal } = surroundings;
    const agent = agentFor(line, surroundings);
    await requireAgent(agent);
    const page = await agent.incidents(query, signal);
    if (hasFlag(line, "json")) {
      stdout.write(`${plainJson(page)}\n`);
      return exitCodes.completed;
    }
    if (page.incidents.length === 0) stdout.write(`${emptyText(query)}\n`);
    else stdout.write(incidentList(page.incidents, stdout));
    const sort = query.sort === undefined ? "" : `--sort ${query.sort} `;
    if (page.next !== null) stderr.write(`more: whence incidents ${sort}--before ${page.next}\n`);
    return exitCodes.completed;
  },
};

function queryOf(line: CommandLine): IncidentQuery {
  return {
    service: textOption(line, "service"),
    env: textOption(line, "env"),
    status: choiceOf(line, "status", incidentStatuses),
    state: choiceOf(line, "state", lifecycleStates),
    owner: textOption(line, "owner"),
    severity: choiceOf(line, "severity", severities),
    trigger: choiceOf(line, "trigger", triggerKinds),
    fingerprint: textOption(line, "fingerprint"),
    since: timeOption(line, "since", Date.now()),
    until: timeOption(line, "until", Date.now()),
    search: textOption(line, "search"),
    sort: choiceOf(line, "sort", incidentSorts),
    before: textOption(line, "before"),
    limit: limitOf(line),
  };
}

function emptyText({ limit: _, sort: __, ...filters }: IncidentQuery): string {
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  if (isFiltered) return "No incidents match these filters.";
  return "No incidents yet. Failures in telemetry, alerts, and whence rca open them.";
}

function choiceOf<Choice extends string>(
  line: CommandLine,
  option: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = textOption(line, option);
  if (text === undefined) return undefined;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} takes ${choices.join(", ")}, but got "${text.slice(0, 60)}"`);
}

function limitOf(line: CommandLine): number {
  const text = textOption(line, "limit");
  if (text === undefined) return limitDefault;
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= limitMax) return limit;
  throw new UsageError(`--limit takes a number from 1 to ${limitMax}, but got "${text.slice(0, 60)}"`);
}
