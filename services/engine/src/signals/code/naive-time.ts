import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A time that is made without a time zone, in a program whose other times have one. */
export const naiveTime = codeKind({
  name: "naive-time",
  means: "The failing value is a time that is made without a time zone here",
  args: z.object({
    /** The code that makes it. */
    made: z.string(),
  }),
  example: { made: "datetime.utcnow()" },
  link: {
    what: ({ made, place }) => `${placeText(place)} makes a time without a time zone: ${inlineCode(made)}`,
    fix: ({ made, place }) => ({
      title: `Give the time a time zone at ${placeText(place)}`,
      detail: `Replace ${inlineCode(made)} by the same time with a time zone, such as \`datetime.now(timezone.utc)\`. What was stored without one needs it, too.`,
    }),
    prevent: () => ({
      title: "Reject calls that make times without a time zone",
      detail: "The rules DTZ of Ruff find them.",
    }),
    confirmedBy: () => "the value without a time zone is one that was made there",
    ruledOutBy: ({ made }) => `the failing value isn't made by ${inlineCode(made)}`,
  },
  isUntrained: true,
  decides: { weight: 0.75 },
  isOrigin: () => true,
  category: () => "type-mismatch",
});
