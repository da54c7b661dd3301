import { chosenOf } from "../../../lib/chosen.ts";
import { RefusedFields } from "../../../lib/field-problems.ts";
import { dayOptions } from "./notification-names.ts";

/** The switch of quiet hours. */
export const switchOptions = [{ value: "on", name: "Hold messages back and summarize them afterward" }] as const;
/** What is sent during quiet hours. */
export const exceptionOptions = [
  { value: "critical", name: "Send messages about critical incidents at once" },
] as const;

/** Returns the entered quiet hours in the API's form; null when they are off. */
export function enteredQuietHours(fields: Readonly<Record<string, string>>): object | null {
  if (chosenOf(fields, "quiet", switchOptions).length === 0) return null;
  const days = chosenOf(fields, "quiet_hours.days", dayOptions);
  if (days.length === 0) throw new RefusedFields({ "quiet_hours.days": "Choose at least one." });
  return {
    time_zone: fields["quiet_hours.time_zone"],
    from: fields["quiet_hours.from"],
    to: fields["quiet_hours.to"],
    days,
    except_critical: chosenOf(fields, "quiet_except", exceptionOptions).length > 0,
  };
}
