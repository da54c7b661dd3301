import { type NotificationRuleChange, notificationRuleChangeSchema } from "@whence/protocol";
import { chosenOf } from "../../../lib/chosen.ts";
import { enteredLines } from "../../../lib/entered.ts";
import { checkFields, RefusedFields } from "../../../lib/field-problems.ts";
import { enteredChannels } from "./entered-channels.ts";
import { enteredQuietHours } from "./entered-quiet-hours.ts";
import { eventOptions, triggerOptions } from "./notification-names.ts";

const noneChosen = "Choose at least one.";

/** Returns the rule entered in a form. Throws {@link RefusedFields} for values that the API would reject. */
export function enteredRule(fields: Readonly<Record<string, string>>, enabled: boolean): NotificationRuleChange {
  const events = chosenOf(fields, "events", eventOptions);
  const triggers = chosenOf(fields, "triggers", triggerOptions);
  if (events.length === 0) throw new RefusedFields({ events: noneChosen });
  if (triggers.length === 0) throw new RefusedFields({ triggers: noneChosen });
  const { name, min_severity, per_hour = "", min_confidence = "", services = "", envs = "", emails = "" } = fields;
  return checkFields(notificationRuleChangeSchema, {
    name,
    enabled,
    events,
    min_severity,
    // Empty means all triggers, including future ones.
    triggers: triggers.length === triggerOptions.length ? [] : triggers,
    services: enteredLines(services),
    envs: enteredLines(envs),
    emails: enteredLines(emails),
    ...enteredChannels(fields),
    per_hour: /^\s*\d+\s*$/.test(per_hour) ? Number(per_hour) : per_hour,
    min_confidence: shareOf(min_confidence),
    quiet_hours: enteredQuietHours(fields),
  });
}

/** Converts a percentage to a share; other text stays as it is, for the schema to reject. */
function shareOf(text: string): number | string {
  const entered = text.trim().replace(/\s*%$/, "");
  if (!/^\d+(?:\.\d+)?$/.test(entered)) return text;
  const share = Number(entered) / 100;
  if (share > 1) throw new RefusedFields({ min_confidence: "Enter a percentage from 0 to 100." });
  return share;
}
