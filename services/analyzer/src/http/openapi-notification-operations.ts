import { byMember, byOwner } from "./access.ts";
import { type Operation, rate } from "./openapi-public-operations.ts";

const tag = "notifications";
const signedOut = { 401: "Not signed in" } as const;
const owners = { ...signedOut, 403: "Only owners may" } as const;
const unknown = { 404: "No such rule" } as const;
const parameters = ["id"];

/** Who is told of incidents. */
export const notificationOperations: readonly Operation[] = [
  {
    path: "/api/notification-rules",
    method: "get",
    id: "list_notification_rules",
    tag,
    summary: "Who is told of which incidents, and what became of the latest message of each rule",
    ...byMember.config,
    answer: "NotificationRuleList",
    refusals: signedOut,
  },
  {
    path: "/api/notification-rules",
    method: "post",
    id: "create_notification_rule",
    tag,
    summary: "Make a rule; the secret of its webhook is told this once",
    ...byOwner.config,
    body: "NotificationRuleChange",
    answer: "NotificationRuleAnswer",
    refusals: { ...owners, 409: "There are as many rules as there may be" },
  },
  {
    path: "/api/notification-rules/{id}",
    method: "put",
    id: "replace_notification_rule",
    tag,
    summary: "Replace a rule; a webhook that it did not have gets a secret, told this once",
    ...byOwner.config,
    parameters,
    body: "NotificationRuleChange",
    answer: "NotificationRuleAnswer",
    refusals: { ...owners, ...unknown },
  },
  {
    path: "/api/notification-rules/{id}",
    method: "delete",
    id: "delete_notification_rule",
    tag,
    summary: "Delete a rule with its deliveries and the secret of its webhook",
    ...byOwner.config,
    parameters,
    refusals: { ...owners, ...unknown },
  },
  {
    path: "/api/notification-rules/{id}/secret",
    method: "post",
    id: "replace_notification_secret",
    tag,
    summary: "Replace the secret of the rule's webhook, told this once; the one before signs nothing any more",
    ...byOwner.config,
    parameters,
    answer: "NotificationRuleAnswer",
    refusals: { ...owners, ...unknown, 409: "The rule has no webhook" },
  },
  {
    path: "/api/notification-rules/{id}/test",
    method: "post",
    id: "test_notification_rule",
    tag,
    summary: "Send a test to everybody whom the rule names",
    ...byOwner.config,
    parameters,
    answer: "NotificationDeliveries",
    refusals: { ...owners, ...unknown, 429: rate },
  },
  {
    path: "/api/notification-rules/{id}/deliveries",
    method: "get",
    id: "list_notification_deliveries",
    tag,
    summary: "The latest 50 messages of a rule and what became of each",
    ...byMember.config,
    parameters,
    answer: "NotificationDeliveries",
    refusals: { ...signedOut, ...unknown },
  },
];
