import { randomUUID } from "node:crypto";
import { type Decision, hourMs, limits, type Report } from "@whence/protocol";
import type {
  Allowance,
  ControlDb,
  DecidedFailure,
  FailureHistory,
  InputRoom,
  KnownFailure,
  NewIncident,
  Occurrences,
  ResponsibleMember,
  SourceRoom,
} from "../../../src/index.ts";

export const now: Date = new Date("2026-03-01T12:00:00.000Z");

/** A member who acts. */
export const actor = { kind: "member", id: "usr_1", name: "Ada" } as const;
/** So many incidents of a source that no test opens them by accident. */
export const sourceAllowance: Allowance = { max: 1_000, spanMs: hourMs };

/** Room for any sources. */
export const sourceRoom: SourceRoom = { releasesPerServiceMax: 10, bytesMax: 1e9 };

/** Room for any input. */
export const roomy: InputRoom = {
  unclaimedAgentBytesMax: 1e9,
  unclaimedAgentsBytesMax: 1e9,
  keyBytesMax: 1e9,
  organizationBytesMax: 1e9,
};

export async function organization(db: ControlDb): Promise<string> {
  return (await db.organizations.ensure({ slug: randomUUID(), name: "Acme", now })).id;
}

export async function agent(db: ControlDb): Promise<{ id: string; key: string; token: string }> {
  const [key, token] = [randomUUID(), randomUUID()];
  const expiresAt = after(limits.unclaimedAgentLifetimeMs);
  const { id } = await db.agents.register({
    source: "a coding agent",
    registeredFrom: "203.0.113.9",
    keyHash: key,
    claimTokenHash: token,
    now,
    expiresAt,
  });
  return { id, key, token };
}

/** A member of the organization, who may claim agents for it. */
export async function member(db: ControlDb, organizationId: string): Promise<ResponsibleMember> {
  const userId = await user(db);
  await db.organizations.addMember({ organizationId, userId, role: "member", now });
  return { organizationId, userId, name: "Ada" };
}

export function after(ms: number): Date {
  return new Date(now.getTime() + ms);
}

export async function drainOutbox(db: ControlDb): Promise<void> {
  for (;;) {
    const pending = await db.outbox.pending(100);
    if (pending.length === 0) return;
    await db.outbox.remove(pending.map(({ id }) => id));
  }
}

/** As the identity library writes one. */
export async function user(db: ControlDb): Promise<string> {
  const identity = db.identity.db.withTables<{ user: Record<string, unknown> }>();
  const id = randomUUID();
  const times = { createdAt: now.toISOString(), updatedAt: now.toISOString() };
  const verified = db.identity.type === "sqlite" ? 0 : false;
  await identity
    .insertInto("user")
    .values({ id, name: "Ada", email: `${id}@example.com`, emailVerified: verified, ...times })
    .execute();
  return id;
}

export const skipped = { outcome: "skipped", reason: "handled and rare", rule: "rare" } as const satisfies Decision;

export const history: FailureHistory = {
  events: 1,
  minutes: 1,
  release: "1.0.0",
  releases: ["1.0.0"],
  openedAt: null,
  deferred: null,
  window: { ms: 300_000, start: now.getTime(), count: 1, before: 0, peak: 0 },
};

export function openOrJoin(known: KnownFailure | null): DecidedFailure {
  const title = "boom";
  if (known?.incidentId) return { decision: { outcome: "joined", reason: "known", rule: "known" }, title, history };
  const decision = { outcome: "opened", reason: "new", rule: "new" } as const;
  const otherwise = { decision: skipped, history };
  const allowance = { max: 1_000, spanMs: hourMs };
  return { decision, title, history, incident: newIncident({ decision }), allowance, otherwise };
}

export function occurrence(
  fingerprint: string,
  { at = now.toISOString(), ...overrides }: Partial<Occurrences> & { readonly at?: string } = {},
): Occurrences {
  const eventId = randomUUID();
  const times = { firstAt: at, lastAt: at };
  return {
    fingerprint,
    service: "shop",
    env: "PROD",
    release: "1.0.0",
    eventId,
    events: 1,
    ...times,
    now,
    ...overrides,
  };
}

export function newIncident(overrides: Partial<NewIncident> = {}): NewIncident {
  return {
    title: "boom",
    severity: "high",
    trigger: { kind: "analyze", agent_id: null, files: 0 },
    service: null,
    env: null,
    fingerprint: null,
    decision: { outcome: "opened", reason: "asked", rule: "analyze" },
    now,
    input: { kind: "text", errorLog: "boom", files: [] },
    ...overrides,
  };
}

export const report: Report = {
  root_cause_summary: "It was null [e1].",
  root_cause: { category: "null-dereference", statement: "It was null [e1].", location: null, service: null },
  chain: [{ what: "it was null", evidence_ids: ["e1"] }],
  candidates: [],
  detailed_analysis: "It was null [e1].",
  short_term_solutions: [],
  long_term_solutions: [],
  evidence: [],
  timeline: [],
  predictions: [],
  not_checked: [],
  provenance: { root_cause: "server" },
  impact: {
    summary: "",
    first_seen: null,
    last_seen: null,
    events: 0,
    services: [],
    routes: [],
    hosts: [],
    releases: [],
  },
  confidence: { score: 0.5, basis: "one frame" },
  engine: { name: "whence", version: "0.1.0" },
};
