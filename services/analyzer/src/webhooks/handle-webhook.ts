import {
  type AlertSender,
  type AlertSenders,
  type Announcement,
  alertSenders,
  parseBoundedJson,
  type SenderInputs,
  type SenderRequests,
  titleFrom,
} from "@whence/vendors";
import { z } from "zod";
import { handlePress, type PressContext } from "../conversations/handle-press.ts";
import { handleRequest, handleStop, type RequestContext } from "../conversations/handle-request.ts";
import { recordDeploy, recordRollback } from "../deployments/record-deploy.ts";
import { type OpeningContext, openForAlert } from "../incidents/open-incident.ts";
import type { Logger } from "../logger.ts";
import { madeNames } from "../triggers/source-inputs.ts";
import { triggerLimits } from "../triggers/trigger-limits.ts";
import { announcedBy } from "./announced-by.ts";
import { endInstallation } from "./installed-source.ts";
import type { WebhookMessage } from "./webhook-message.ts";

export interface WebhookContext extends OpeningContext, Pick<RequestContext, "kickPoster"> {
  readonly logger: Logger;
  readonly senderRequests: SenderRequests;
  /** The default senders unless given. */
  readonly senders?: AlertSenders;
  /** What answers the presses of buttons; without it, they change nothing. */
  readonly conversations?: Pick<PressContext, "vendors" | "outbound" | "appUrl">;
}

/**
 * Handles accepted webhooks: each failure that one announces opens an incident, or belongs to one that telemetry
 * opened, and each request in a conversation is recorded, to be answered. Idempotent.
 */
export function webhookHandler(context: WebhookContext): (message: WebhookMessage) => Promise<undefined> {
  return async (message) => {
    const { control, clock } = context;
    const { scope_id: scopeId, source_id: sourceId } = message;
    const { alertSources } = control.scope(scopeId);
    // A source that was removed in the meantime announces nothing.
    const source = await control.alertSources.find(sourceId);
    const sender = (context.senders ?? alertSenders).find(message.kind);
    if (!source || !sender) return;
    const announcements = announcementsIn(message, sender, source.inputs);
    if ("failure" in announcements) {
      context.logger.warn({ source: sourceId, kind: message.kind }, "a webhook is not as its sender documents it");
      await alertSources.note(sourceId, announcements, new Date(clock()));
      return;
    }
    let alerts = 0;
    for (const announcement of announcements) if (await handle(context, { message, sender }, announcement)) alerts += 1;
    await alertSources.note(sourceId, { alerts }, new Date(clock()));
  };
}

function announcementsIn(
  { headers, body, received_at: receivedAt }: WebhookMessage,
  sender: AlertSender,
  inputs: SenderInputs,
): readonly Announcement[] | { readonly failure: string } {
  try {
    const read = sender.read(parseBoundedJson(body), { headers, body: Buffer.from(body) }, inputs);
    return read.map((announcement) => announcedBy(receivedAt, announcement));
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const place = issue?.path.join(".") || "the body";
    return { failure: `the webhook couldn't be read: ${place}: ${issue?.message ?? "not as documented"}` };
  }
}

/** Returns whether the announcement is a failure that wasn't known. */
async function handle(
  context: WebhookContext,
  { message, sender }: { readonly message: WebhookMessage; readonly sender: AlertSender },
  announcement: Announcement,
): Promise<boolean> {
  const { control, clock } = context;
  const { scope_id: scopeId, source_id: sourceId } = message;
  const { alerts, alertSources } = control.scope(scopeId);
  const now = new Date(clock());
  switch (announcement.kind) {
    case "confirm":
      await context.senderRequests.fetchText(new URL(announcement.url));
      return false;
    case "request":
      await handleRequest(context, { scopeId, sourceId }, announcement.request);
      return false;
    case "stop":
      await handleStop(context, { scopeId, sourceId }, announcement.stopped);
      return false;
    case "press":
      if (context.conversations) {
        await handlePress({ ...context, ...context.conversations }, { scopeId, sourceId }, announcement.pressed);
      }
      return false;
    case "deploy":
      await recordDeploy(control.scope(scopeId), sourceId, announcement.deploy);
      return false;
    case "rollback":
      await recordRollback(control.scope(scopeId), sourceId, announcement);
      return false;
    case "removed":
      if (await endInstallation(context, scopeId, sourceId)) return false;
      await alertSources.forgetSecrets(sourceId, madeNames(sender), removedBy(announcement.by), now);
      return false;
    case "installed":
      // The handled webhook is recorded with its source.
      return false;
    case "alert": {
      const { alert } = announcement;
      if (alert.state === "firing") return openForAlert(context, scopeId, { sender, sourceId, alert });
      const { key, title, url, at } = alert;
      const { alertForgottenAfterMs: forgottenAfterMs, resolutionsMax } = triggerLimits;
      await alerts.resolve({ sourceId, key, title, url, at, now, forgottenAfterMs, resolutionsMax });
      return false;
    }
  }
}

function removedBy(by: string | null): string {
  const who = by === null ? "The application was removed" : `${titleFrom(by)} removed the application`;
  return `${who} at the sender, and the secrets that were entered are deleted: install it again and enter them`;
}
