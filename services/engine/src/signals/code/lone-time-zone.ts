import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** The only code of a program that gives times a time zone. */
export const loneTimeZone = codeKind({
  name: "lone-time-zone",
  means: "Two times can't be compared because only one has a time zone, and no other code of the program gives one",
  args: z.object({
    /** The code that gives it. */
    made: z.string(),
  }),
  example: { made: "date.astimezone(zone)" },
  link: {
    what: ({ made, place }) =>
      `${placeText(place)} is the only code that gives times a time zone (${inlineCode(made)}), and the other times have none`,
    fix: ({ made, place }) => ({
      title: `Remove the time zone again after ${inlineCode(made)} at ${placeText(place)}`,
      detail:
        "Convert to the zone that the other times are in, then `.replace(tzinfo=None)`. Or give all times a zone.",
    }),
    prevent: () => ({
      title: "Add a test that compares times from each source",
      detail: "Either all of them have a time zone, or none has.",
    }),
    confirmedBy: ({ made }) => `the value with a time zone is one that ${inlineCode(made)} made`,
    ruledOutBy: ({ made }) => `the value with a time zone isn't made by ${inlineCode(made)}`,
  },
  isUntrained: true,
  decides: { weight: 0.6 },
  isOrigin: () => true,
  category: () => "type-mismatch",
});
