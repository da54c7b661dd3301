import { type NotificationRuleChoice, notificationRuleChoiceSchema } from "@whence/protocol";
import type { NotificationRepository } from "../../../src/index.ts";
import { now } from "./samples.ts";

export const ada = { id: "usr_1", name: "Ada" };

export const ruleWith = (changes: Partial<NotificationRuleChoice> = {}): NotificationRuleChoice =>
  notificationRuleChoiceSchema.parse({
    name: "On call",
    events: ["completed"],
    emails: ["oncall@example.com"],
    ...changes,
  });

export const makeRule = async (
  notifications: NotificationRepository,
  changes: Partial<NotificationRuleChoice> = {},
) => {
  const rule = await notifications.create({ change: ruleWith(changes), secrets: {}, by: ada, now });
  if (!rule) throw new Error("no rule was made");
  return rule;
};
