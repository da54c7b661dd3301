import { queryOptions } from "@tanstack/react-query";
import {
  type NotificationDeliveries,
  type NotificationDelivery,
  type NotificationRuleAnswer,
  type NotificationRuleChange,
  notificationDeliveriesSchema,
  notificationRuleAnswerSchema,
  notificationRuleListSchema,
} from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const base = "/api/notification-rules";
const pathOf = (id: string, part = ""): string => `${base}/${encodeURIComponent(id)}${part}`;
/** Polling interval while a message is pending. */
const lookAgainMs = 1_000;

/** The notification rules; polled while a message waits for its first attempt. */
export const notificationRulesQuery = queryOptions({
  queryKey: ["settings", "notifications"],
  queryFn: ({ signal }) => request(notificationRuleListSchema, base, { signal }),
  refetchInterval: ({ state }) =>
    state.data?.rules.some(({ last_delivery: last }) => last !== null && isNew(last)) ? lookAgainMs : false,
});

/** The latest messages of a rule, polled in the same way. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ["settings", "notifications", id],
    queryFn: ({ signal }) => request(notificationDeliveriesSchema, pathOf(id, "/deliveries"), { signal }),
    refetchInterval: ({ state }) => (state.data?.deliveries.some(isNew) ? lookAgainMs : false),
  });

function isNew({ settled_at, reason }: NotificationDelivery): boolean {
  return settled_at === null && reason === null;
}

/** Only this response contains the webhook's secret. */
export function createRule(rule: NotificationRuleChange): Promise<NotificationRuleAnswer> {
  return request(notificationRuleAnswerSchema, base, { method: "POST", body: rule });
}

/** Contains the webhook's secret if the rule had no webhook before. */
export function replaceRule(id: string, rule: NotificationRuleChange): Promise<NotificationRuleAnswer> {
  return request(notificationRuleAnswerSchema, pathOf(id), { method: "PUT", body: rule });
}

export async function deleteRule(id: string): Promise<void> {
  await request(z.unknown(), pathOf(id), { method: "DELETE" });
}

export function replaceSecret(id: string): Promise<NotificationRuleAnswer> {
  return request(notificationRuleAnswerSchema, pathOf(id, "/secret"), { method: "POST" });
}

/** Sends a test message to all recipients of the rule. */
export function testRule(id: string): Promise<NotificationDeliveries> {
  return request(notificationDeliveriesSchema, pathOf(id, "/test"), { method: "POST" });
}
