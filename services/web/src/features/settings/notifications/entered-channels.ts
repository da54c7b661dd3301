import { chosenOf } from "../../../lib/chosen.ts";
import { RefusedFields } from "../../../lib/field-problems.ts";
import { channelOptions } from "./notification-names.ts";

/** Returns the entered channels in the API's form. Throws {@link RefusedFields} when a webhook has no URL. */
export function enteredChannels(fields: Readonly<Record<string, string>>) {
  const chosen: readonly string[] = chosenOf(fields, "channels", channelOptions);
  const entered = (channel: string, name: string): string | null => {
    const value = chosen.includes(channel) ? (fields[name] ?? "").trim() : "";
    return value === "" ? null : value;
  };
  const webhookUrl = entered("webhook", "webhook_url");
  if (webhookUrl === null && chosen.includes("webhook"))
    throw new RefusedFields({ webhook_url: "This field is required." });
  return {
    slack: chosen.includes("slack"),
    slack_target: entered("slack", "slack_target"),
    teams: chosen.includes("teams"),
    teams_url: entered("teams", "teams_url"),
    pagerduty: entered("pagerduty", "pagerduty"),
    pagerduty_key: entered("pagerduty", "pagerduty_key"),
    opsgenie: entered("opsgenie", "opsgenie"),
    opsgenie_key: entered("opsgenie", "opsgenie_key"),
    webhook_url: webhookUrl,
  };
}
