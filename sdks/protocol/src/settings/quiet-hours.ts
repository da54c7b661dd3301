import { z } from "zod";

/** The days of the week, in ISO 8601 order. */
export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof weekdays)[number];

const timeZoneLengthMax = 64;
const timeSchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "it must be a time from 00:00 to 23:59");

const timeZoneSchema = z
  .string()
  .max(timeZoneLengthMax)
  .refine(isTimeZone, "it must be an IANA time zone, for example Europe/Berlin");

/** The hours in which a rule's messages wait. */
export const quietHoursSchema = z
  .object({
    time_zone: timeZoneSchema,
    /** Local times. `to` is on the next day when it isn't later than `from`. */
    from: timeSchema,
    to: timeSchema,
    /** The days on which quiet hours begin. */
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .max(weekdays.length)
      .default([...weekdays]),
    /** Whether messages about critical incidents are sent at once. */
    except_critical: z.boolean().default(true),
  })
  .refine(({ from, to, days }) => from !== to || new Set(days).size < weekdays.length, {
    path: ["to"],
    message: "quiet hours around the clock on every day would never end: turn the rule off instead",
  });
export type QuietHours = z.infer<typeof quietHoursSchema>;

function isTimeZone(name: string): boolean {
  try {
    // `Intl` also accepts an offset such as +02:00, which knows no daylight saving time.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
