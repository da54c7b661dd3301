import type { StoredIncident } from "../incidents/incident-db.ts";

/** So many in any span of so long. */
export interface Allowance {
  readonly max: number;
  readonly spanMs: number;
}

/** What an unclaimed agent may have beside that: so many that have not ended. */
export interface AgentAllowance extends Allowance {
  readonly openMax: number;
}

/** What the inputs of analyses may take of the disk, in bytes, compressed. */
export interface InputRoom {
  /** Of one unclaimed agent. */
  readonly unclaimedAgentBytesMax: number;
  /** Of all of them together. */
  readonly unclaimedAgentsBytesMax: number;
  /** Of one key of an organization. */
  readonly keyBytesMax: number;
  /** Of an organization that has not chosen a bound of its own. */
  readonly organizationBytesMax: number;
}

export type InputQuota = "unclaimed-agent" | "unclaimed-agents" | "key" | "organization";

export type AllowedIncident =
  | { readonly outcome: "opened"; readonly incident: StoredIncident }
  /** `freeAt` is when the oldest that stands in the way leaves the span. */
  | { readonly outcome: "exhausted"; readonly freeAt: Date }
  /** As many as it may have have not ended yet. */
  | { readonly outcome: "busy" }
  /** The input would exceed this quota. */
  | { readonly outcome: "no-room"; readonly quota: InputQuota; readonly bytesMax: number };
