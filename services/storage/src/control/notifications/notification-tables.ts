import type { MessageColumns } from "../messages/message-columns.ts";

/** The incidents to announce, and their recipients. The secret of a webhook is stored with the scope's secrets. */
export interface NotificationRuleTable {
  id: string;
  scope_id: string;
  /** 0 when it is off. */
  enabled: number;
  /** The rest of what was chosen. */
  rule_json: string;
  changed_at: string;
  user_id: string;
  user_name: string;
  /** The hour whose messages are counted began with the first of them. */
  hour_started_at: string | null;
  /** Occasions that were sent or held back in it. */
  hour_sent: number;
}

/** An event to notify about, until its recipients are determined. */
export interface NotificationOccasionTable {
  /** Of the incident and what happened to it. */
  id: string;
  scope_id: string;
  incident_id: string;
  /** `opened`, `completed`, `corrected`, `failed`, `resolved`. */
  kind: string;
  /** Not sent before this time. */
  at: string;
}

/** One message to one recipient. */
export interface NotificationDeliveryTable extends MessageColumns {
  rule_id: string;
  /** Names what is announced: a rule sends it to each recipient once. */
  occasion: string;
  type: string;
  /** Null for a summary and a test. */
  incident_id: string | null;
  channel: string;
  recipient: string;
  /** `waiting`, `sending`, `sent`, `given_up`. */
  state: string;
  /** In the last message that an hour has room for. */
  held_back_until: string | null;
}

/** An occasion beyond a rule's messages per hour. */
export interface NotificationHeldBackTable {
  rule_id: string;
  occasion: string;
  incident_id: string;
  at: string;
  /** When the hour is over. */
  until: string;
  /** The occasion of the summary that counts it; null before there is one. */
  summary_occasion: string | null;
}
