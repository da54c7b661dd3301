import type { Transaction } from "kysely";
import type { AgentAllowance, Allowance, InputRoom } from "../access/allowance.ts";
import { isAgentScope } from "../ids.ts";
import type { ControlTables } from "../tables.ts";
import type { AllowedIncident, NewIncident } from "./incident-db.ts";
import type { PackedInput } from "./incident-input.ts";
import { exceededQuota } from "./input-room.ts";
import { currentScope, openIncident } from "./open-incident.ts";

interface Opening {
  readonly scopeId: string;
  readonly incident: NewIncident;
  readonly input: PackedInput;
  readonly allowance: AgentAllowance;
  readonly room: InputRoom;
}

/** Opens the incident, unless its scope or key has exceeded its limits. */
export async function openWithin(
  transaction: Transaction<ControlTables>,
  { scopeId: requestedScopeId, incident, input, allowance, room }: Opening,
): Promise<AllowedIncident> {
  // Holds the agent's row, so that its analyses are counted one after the other.
  const scopeId = await currentScope(transaction, requestedScopeId);
  if (isAgentScope(scopeId)) {
    const freeAt = await fullUntil(transaction, scopeId, incident.now, allowance);
    if (freeAt) return { outcome: "exhausted", freeAt };
    if (await isBusy(transaction, scopeId, allowance)) return { outcome: "busy" };
  }
  const owner = { scopeId, keyId: incident.askedByKeyId ?? null };
  const exceeded = await exceededQuota(transaction, owner, input.bytes, room);
  if (exceeded) return { outcome: "no-room", ...exceeded };
  return { outcome: "opened", incident: await openIncident(transaction, scopeId, incident, input) };
}

async function isBusy(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { openMax }: AgentAllowance,
): Promise<boolean> {
  const open = await transaction
    .selectFrom("incident")
    .select("id")
    .where("scope_id", "=", scopeId)
    .where("status", "in", ["queued", "investigating"])
    .limit(openMax)
    .execute();
  return open.length >= openMax;
}

/** When the scope may request another analysis; null: now. */
async function fullUntil(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  now: Date,
  { max, spanMs }: Allowance,
): Promise<Date | null> {
  const counted = await transaction
    .selectFrom("incident")
    .select("created_at")
    .where("scope_id", "=", scopeId)
    .where("trigger_kind", "=", "analyze")
    .where("created_at", ">", new Date(now.getTime() - spanMs).toISOString())
    .orderBy("created_at", "desc")
    .limit(max)
    .execute();
  if (counted.length < max) return null;
  const oldest = counted.at(-1)?.created_at;
  return new Date((oldest === undefined ? now.getTime() : Date.parse(oldest)) + spanMs);
}
