import type { AgentStatus } from "@whence/protocol";
import type { Agent } from "../agent.ts";
import { agentErrors } from "../errors.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { agentFor } from "./agent-for.ts";
import { type Command, exitCodes, hasFlag, serviceOptions } from "./command.ts";

/** An agent's status, with what only this machine knows. */
export interface PresentedAgent extends AgentStatus {
  readonly service: string;
  /** Null once claimed, and with an existing key. */
  readonly claim_url: string | null;
}

/** `whence status`: prints how the service identifies this user, and when that expires. */
export const status: Command = {
  name: "status",
  summary: "show the agent, its organization, and when it expires",
  operands: "",
  options: { json: { type: "boolean", description: "print JSON" }, ...serviceOptions },
  details:
    "An unclaimed agent expires 3 days after it registered. With WHENCE_API_KEY set, shows the agent of that key.",
  async run(line, surroundings) {
    const { stdout, signal } = surroundings;
    const agent = agentFor(line, surroundings);
    await requireAgent(agent);
    const presented = await presentAgent(agent, signal);
    stdout.write(hasFlag(line, "json") ? `${plainJson(presented)}\n` : statusText(presented, stdout.style));
    return exitCodes.completed;
  },
};

/** Throws without a registered agent: commands that only read must not register one. */
export async function requireAgent(agent: Agent): Promise<void> {
  if (agent.hasGivenKey || (await agent.entry())) return;
  throw agentErrors.create("WHENCE_ERR_NOT_REGISTERED", [agent.url]);
}

export async function presentAgent(agent: Agent, signal?: AbortSignal): Promise<PresentedAgent> {
  const known = await agent.status(signal);
  const entry = await agent.entry();
  const claimUrl = known.status === "unclaimed" ? (entry?.claim_url ?? null) : null;
  return { ...known, service: agent.url, claim_url: claimUrl };
}

export function statusText(agent: PresentedAgent, style: Style): string {
  const rows = [
    ["agent", `${agent.agent_id} (${agent.source})`],
    ["service", agent.service],
    ["status", agent.status],
    ...(agent.organization_id === null ? [] : [["organization", agent.organization_id]]),
    ...(agent.expires_in_seconds === null
      ? [["expires", "never"]]
      : [["expires", `in ${duration(agent.expires_in_seconds)} (${agent.expires_at ?? ""})`]]),
    ...(agent.claim_url === null ? [] : [["claim at", agent.claim_url]]),
  ];
  return rows.map(([name = "", value = ""]) => `${style.dim(name.padEnd(12))} ${plainText(value)}\n`).join("");
}

/** Formats a duration in its two largest units: `2 d 23 h`. */
export function duration(seconds: number): string {
  const units: [string, number][] = [
    ["d", Math.floor(seconds / 86_400)],
    ["h", Math.floor((seconds % 86_400) / 3_600)],
    ["min", Math.floor((seconds % 3_600) / 60)],
    ["s", seconds % 60],
  ];
  const first = units.findIndex(([, count]) => count > 0);
  if (first < 0) return "0 s";
  return units
    .slice(first, first + 2)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${unit}`)
    .join(" ");
}
