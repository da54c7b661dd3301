import { type Notification, type NotificationRule, notificationRuleChoiceSchema } from "@whence/protocol";

const at = "2026-03-01T12:00:00.000Z";

export function ruleOf(changes: Partial<NotificationRule> = {}): NotificationRule {
  return {
    ...notificationRuleChoiceSchema.parse({ name: "On call", events: ["completed"], emails: ["oncall@example.com"] }),
    ...{ id: "ntr_1", changed_at: at, changed_by: { id: "usr_1", name: "Ada" }, last_delivery: null, held_back: 0 },
    ...changes,
  };
}

type NotifiedIncident = NonNullable<Notification["incident"]>;

export function notifiedIncident(changes: Partial<NotifiedIncident> = {}): NotifiedIncident {
  return {
    ...{ id: "inc_1", title: "TypeError: x is undefined", severity: "high", service: "checkout", env: "PROD" },
    ...{ url: "https://whence.example.com/incidents/inc_1", status: "completed", trigger: "event", opened_at: at },
    ...{ decision: "the failure was never seen before", since: "2026-03-01T11:58:00.000Z", failure: null },
    root_cause: { category: "null-dereference", summary: "The cart has no total.", location: null },
    origin: { what: "The cart was emptied.", service: "cart" },
    confidence: { score: 0.784, basis: "one frame and its source" },
    first_solution: { title: "Check the total", detail: "Return early where it is missing." },
    ...changes,
  };
}

export function notification(changes: Partial<Notification> = {}): Notification {
  return {
    ...{ id: "ntf_1", type: "completed", created_at: at, incident: notifiedIncident(), held_back: null },
    rule: { id: "ntr_1", name: "On call", url: "https://whence.example.com/settings/notifications" },
    held_back_until: null,
    ...changes,
  };
}
