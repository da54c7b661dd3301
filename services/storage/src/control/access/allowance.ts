/** At most `max` incidents per `spanMs`. */
export interface Allowance {
  readonly max: number;
  readonly spanMs: number;
}

/** The allowance of an unclaimed agent, which also bounds its unfinished incidents by `openMax`. */
export interface AgentAllowance extends Allowance {
  readonly openMax: number;
}

/** Quotas for the stored inputs of analyses, in bytes, compressed. */
export interface InputRoom {
  /** One unclaimed agent. */
  readonly unclaimedAgentBytesMax: number;
  /** All unclaimed agents together. */
  readonly unclaimedAgentsBytesMax: number;
  /** One key of an organization. */
  readonly keyBytesMax: number;
  /** An organization without a quota of its own. */
  readonly organizationBytesMax: number;
}

export type InputQuota = "unclaimed-agent" | "unclaimed-agents" | "key" | "organization";
