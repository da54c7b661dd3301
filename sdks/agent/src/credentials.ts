import { type RegisterResponse, registerRequestSchema, registerResponseSchema } from "@whence/protocol";

/** An agent that was replaced, without its key. */
export interface FormerAgent {
  readonly agent_id: string;
  readonly source: string;
  readonly registered_at: string;
  readonly ended_at: string;
  /** Why its key no longer worked: revoked, expired, unknown. */
  readonly reason: string;
}

/** The agent of this machine's user at one service, as registered. */
export interface AgentEntry extends RegisterResponse {
  readonly source: string;
  readonly registered_at: string;
  /** Newest first. */
  readonly history: readonly FormerAgent[];
}

/** The whole file: agents by the address of their service. */
export interface Credentials {
  readonly version: 1;
  readonly services: Readonly<Record<string, AgentEntry>>;
}

export const noCredentials: Credentials = { version: 1, services: {} };

const text = registerResponseSchema.shape.api_key;
const formerAgentSchema = registerRequestSchema.extend({
  agent_id: text,
  registered_at: text,
  ended_at: text,
  reason: text,
});
const entrySchema = registerResponseSchema.extend({
  source: registerRequestSchema.shape.source,
  registered_at: text,
  history: formerAgentSchema.array(),
});

/** Parses the file; null when it is damaged, or of a version that this release doesn't know. */
export function parseCredentials(json: string): Credentials | null {
  const file = parseObject(json);
  if (file?.version !== 1 || !isObject(file.services)) return null;
  const services: Record<string, AgentEntry> = Object.create(null);
  for (const [address, value] of Object.entries(file.services)) {
    const entry = entrySchema.safeParse(value);
    if (!entry.success) return null;
    services[address] = entry.data;
  }
  return { version: 1, services };
}

/** Formats the file with indentation, since people read it, too. */
export function formatCredentials(credentials: Credentials): string {
  return `${JSON.stringify(credentials, null, 2)}\n`;
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
