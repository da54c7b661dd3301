import type { AlertName, KnownFailure, NewIncident } from "@whence/storage";
import { packText } from "@whence/storage/packed-text";
import type { AlertSender, AnnouncedAlert } from "@whence/vendors";

/** The source of an alert. */
export interface AlertOrigin {
  readonly sender: Pick<AlertSender, "kind" | "label">;
  readonly sourceId: string;
  readonly alert: AnnouncedAlert;
  /** The reason for opening an incident; absent when its sender announced it. */
  readonly reason?: string;
  /** Whether a monitor of the organization raised it. */
  readonly isOfMonitor?: boolean;
}

/** Returns the alert's name in storage. */
export function nameOf({ sourceId, alert }: AlertOrigin): AlertName {
  return { sourceId, key: alert.key };
}

/**
 * Returns the incident to open for an alert: on an event of the failure that it is about, or else on the sender's text.
 */
export async function incidentFromAlert(
  origin: AlertOrigin,
  about: { readonly failure: KnownFailure; readonly eventId: string } | null,
  now: Date,
): Promise<NewIncident> {
  const { sender, sourceId, alert } = origin;
  const reason = origin.reason ?? `${sender.label} announced it`;
  const opened = {
    severity: alert.severity ?? "medium",
    trigger: {
      kind: "alert",
      source: sender.kind,
      sender: sender.label,
      source_id: sourceId,
      key: alert.key,
      url: alert.url,
      at: alert.at,
    },
    decision: { outcome: "opened", rule: "alert", reason },
    now,
  } as const;
  if (about) {
    const { title, service, env, fingerprint } = about.failure;
    return { ...opened, title, service, env, fingerprint, input: { kind: "event", eventId: about.eventId } };
  }
  const { title, service, env, text } = alert;
  return { ...opened, title, service, env, fingerprint: null, input: await packText(text, []) };
}
