import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import type { AnnouncedAlert, Announcement } from "../alert-senders/announcement.ts";
import { hashOfBody } from "../alert-senders/delivery-id.ts";
import { shownSecret } from "../alert-senders/inputs.ts";
import { hasSignedBody } from "../alert-senders/proof.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { optionalText } from "../text/fields.ts";
import { nameFrom } from "../text/plain-text.ts";
import { fromSentryEvent } from "./event.ts";
import { fromSentryIssue, fromSentryMetricAlert } from "./states.ts";

/** https://docs.sentry.io/integrations/integration-platform/webhooks/ */
const hookSchema = z.object({
  action: z.string(),
  data: z.record(z.string(), z.unknown()),
  actor: z.object({ name: optionalText }).nullish(),
});
type Hook = z.infer<typeof hookSchema>;

/** States by the action of an issue; others, such as `assigned` and `archived`, say nothing about a failure. */
const issueStates = new Map<string, AnnouncedAlert["state"]>([
  ["created", "firing"],
  ["unresolved", "firing"],
  ["resolved", "resolved"],
]);
const metricStates = new Map<string, AnnouncedAlert["state"]>([
  ["critical", "firing"],
  ["warning", "firing"],
  ["resolved", "resolved"],
]);

/**
 * An internal integration of Sentry. The signature covers only the body, so the body determines what a webhook is
 * about, rather than `Sentry-Hook-Resource`, and its hash identifies the delivery: Sentry creates a new `Request-ID`
 * for each attempt.
 */
export const sentry: AlertSender = {
  kind: "sentry",
  label: "Sentry",
  inputs: [shownSecret("Client secret of the internal integration")],
  setup: () =>
    numbered(
      "Under **Settings → Developer Settings**, create an internal integration with this address as its webhook URL, and turn on **Alert Rule Action**.",
      "Save the integration. Sentry then shows its client secret for a short time: enter it here.",
      "Add the integration as an action to your alert rules.",
    ),
  verify: (webhook, inputs) => hasSignedBody(webhook, inputs, { header: "sentry-hook-signature", algorithm: "sha256" }),
  deliveryId: hashOfBody,
  read: (body) => {
    const hook = hookSchema.parse(body);
    if (hook.data.installation !== undefined) return installationOf(hook);
    const alert = alertOf(hook);
    return alert === null ? [] : [{ kind: "alert", alert } satisfies Announcement];
  },
};

/** https://docs.sentry.io/integrations/integration-platform/webhooks/installation/ */
function installationOf({ action, actor }: Hook): readonly Announcement[] {
  const by = nameFrom(actor?.name);
  if (action === "created") return [{ kind: "installed", by }];
  return action === "deleted" ? [{ kind: "removed", by }] : [];
}

/** Null for a comment, and for anything else that isn't about failures. */
function alertOf({ action, data }: Hook): AnnouncedAlert | null {
  if (data.event !== undefined && action === "triggered") return fromSentryEvent(data.event);
  if (data.error !== undefined && action === "created") return fromSentryEvent(data.error);
  const issueState = data.issue === undefined ? undefined : issueStates.get(action);
  if (issueState !== undefined) return fromSentryIssue(data.issue, issueState, action);
  const metricState = data.metric_alert === undefined ? undefined : metricStates.get(action);
  return metricState === undefined ? null : fromSentryMetricAlert(data, metricState, action);
}
