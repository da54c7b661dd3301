import type { ModelPurpose } from "@whence/protocol";
import type { Generated } from "kysely";

/** The tables of language models. */
export interface ModelTables {
  model_settings: ModelSettingsTable;
  model_refusal: ModelRefusalTable;
  model_usage: ModelUsageTable;
  model_run: ModelRunTable;
  model_prompt: ModelPromptTable;
}

export interface ModelSettingsTable {
  scope_id: string;
  provider: string;
  name: string;
  /** Without credentials, which are secrets of the scope. */
  inputs_json: string;
  /** Null while unknown. */
  prices_json: string | null;
  budget_json: string;
  changed_at: string;
  user_id: string;
  user_name: string;
}

/** A scope that doesn't use the model of the installation. */
interface ModelRefusalTable {
  scope_id: string;
  refused_at: string;
  user_id: string;
  user_name: string;
}

/** What a scope's models used in a day. It stays when incidents are deleted, so that this refills no budget. */
interface ModelUsageTable {
  scope_id: string;
  /** `2026-03-01`, UTC. */
  day: string;
  investigations: number;
  input_tokens: number;
  output_tokens: number;
  /** Of everything that is priced. */
  cost_usd: number;
  /** How often the cost is unknown. */
  unpriced: number;
}

export interface ModelRunTable {
  id: string;
  scope_id: string;
  incident_id: string;
  purpose: ModelPurpose;
  provider: string;
  name: string;
  runs: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  started_at: string;
  duration_ms: number;
  outcome: string;
  replaced_json: string;
  prompts_omitted: Generated<number>;
}

interface ModelPromptTable {
  run_id: string;
  position: number;
  scope_id: string;
  sent_at: string;
  text: string;
  /** 1 when its end was too long to keep. */
  is_cut: number;
}
