import { V7Generator } from "uuidv7";

const generator = new V7Generator();
const agentPrefix = "agt_";
/** The scopes of unclaimed agents sort between these two: `_` is followed by a backquote. */
export const agentScopesFrom = agentPrefix;
export const agentScopesTo = "agt`";

export type IdPrefix =
  | "inc_"
  | "agt_"
  | "org_"
  | "key_"
  | "usr_"
  | "acc_"
  | "mem_"
  | "aud_"
  | "ntr_"
  | "ntf_"
  | "era_"
  | "als_"
  | "cnv_"
  | "cpo_"
  | "act_"
  | "mrn_"
  | "mon_"
  | "shr_"
  | "wat_"
  | "view_";

/** A new id, such as `inc_0199…`: a UUIDv7 in hex, so that ids sort by when they were made. */
export function newId(prefix: IdPrefix): string {
  return prefix + generator.generate().toHex();
}

/** Whether a scope is an unclaimed agent; every other scope is an organization. */
export function isAgentScope(scopeId: string): boolean {
  return scopeId.startsWith(agentPrefix);
}
