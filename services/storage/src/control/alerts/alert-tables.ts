import type { Generated } from "kysely";

/** A sender of webhooks that a scope lets announce failures. */
export interface AlertSourceTable {
  id: string;
  scope_id: string;
  kind: string;
  name: string;
  /** What is no secret, by name. */
  inputs_json: string;
  /** Names of its secrets. */
  secrets_json: string;
  created_at: string;
  user_id: string;
  user_name: string;
  /** When a webhook of it was last accepted. */
  received_at: string | null;
  alerts: Generated<number>;
  /** The hour whose incidents are counted began with the first of them. */
  hour_started_at: string | null;
  /** Incidents that it opened in that hour. */
  hour_opened: Generated<number>;
  withheld: Generated<number>;
  failed_at: string | null;
  failure: string | null;
  /** 1 if its bot also answers where people from outside of the organization read. */
  answers_publicly: Generated<number>;
}

/** The incident of an alert whose end was announced before its beginning, and of a new one until it has its own. */
export const withoutIncident = "";

/** A failure that a source announced, in one row for all its announcements. */
export interface AlertTable {
  scope_id: string;
  source_id: string;
  key: string;
  title: string;
  url: string | null;
  runbook_url: string | null;
  /** The incident that opened for it, or that it belongs to. */
  incident_id: string;
  fired_at: string;
  /** When it was last announced. */
  announced_at: string;
  resolved_at: string | null;
}
