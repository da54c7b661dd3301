import type { Sender } from "../plugins/sender.ts";

/** The owner of a batch, its time of arrival, its retention, and how it treats users. */
export interface BatchFrame {
  readonly scopeId: string;
  readonly receivedAt: string;
  /** Null for the service's default. */
  readonly retentionDays: number | null;
  /** Hashes whom its events are about; null keeps them as sent. */
  readonly userKey: string | null;
}

/** Returns the frame of what an organization sent. */
export function frameOf({ scopeId, settings, userKey }: Sender, receivedAtMs: number): BatchFrame {
  return { scopeId, receivedAt: new Date(receivedAtMs).toISOString(), retentionDays: settings.retentionDays, userKey };
}
