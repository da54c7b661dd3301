import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A date without a time, which is parsed as midnight UTC and read in the time zone of the process. */
export const utcDay = codeKind({
  name: "utc-day",
  means: "A date without a time is parsed as midnight UTC and read in the time zone of the process",
  args: z.object({
    code: z.string(),
    /** What reads the date in the time zone of the process. */
    read: z.string(),
  }),
  example: { code: "new Date(text)", read: "date.getDay()" },
  link: {
    what: ({ code, read, place }) =>
      `${placeText(place)} takes a date as midnight UTC with ${inlineCode(code)}, which ${inlineCode(read)} reads in local time`,
    fix: ({ code, read, place }) => ({
      title: `Use one time zone for ${inlineCode(code)} at ${placeText(place)}`,
      detail: `West of Greenwich, that is the day before. Read the date with the UTC getter instead of ${inlineCode(read)}, or create it from its year, month, and day. Until then, run the service with \`TZ=UTC\`.`,
    }),
    prevent: ({ read }) => ({
      title: "Run the tests in several time zones",
      detail: `With \`TZ=America/New_York\`, ${inlineCode(read)} returns the day before.`,
    }),
    confirmedBy: () => "the service runs in a time zone behind UTC, and the failure ends with `TZ=UTC`",
    ruledOutBy: () => "the service runs with `TZ=UTC`, or in a time zone ahead of it",
  },
  isUntrained: true,
  decides: { weight: 0.6 },
  isOrigin: () => true,
});
