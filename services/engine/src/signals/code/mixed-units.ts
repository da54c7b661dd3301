import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A quantity that is taken for one in another unit. */
export const mixedUnits = codeKind({
  name: "mixed-units",
  means: "A quantity in one unit is used as if it were in another: seconds as milliseconds, cents as whole currency",
  args: z.object({
    /** Whether it is handed to what takes another unit, compared or combined with one, or is the wrong number of one unit in another, or hardly anything in its unit. */
    how: z.enum(["given", "compared", "combined", "rate", "tiny"]),
    code: z.string(),
    /** Null for a unit without a name, which two conversions make. */
    unit: z.string().nullable(),
    /** What it meets, or its number. */
    other: z.string(),
    otherUnit: z.string().nullable(),
    /** The name without a unit under which it is stored in between; null where it isn't. */
    keptAs: z.string().nullable(),
  }),
  example: {
    how: "given",
    code: "ttlSeconds",
    unit: "seconds",
    other: "setTimeout",
    otherUnit: "milliseconds",
    keptAs: null,
  },
  link: {
    what: ({ how, code, unit, other, otherUnit, keptAs, place }) => {
      const [one, two] = [measured(code, unit), measured(other, otherUnit)];
      if (how === "tiny")
        return `${placeText(place)} sets ${inlineCode(code)}, which is in ${unit}, to only ${inlineCode(other)}`;
      if (how === "rate")
        return `${placeText(place)} sets ${inlineCode(code)} to ${inlineCode(other)}, which isn't how many ${unit} make up ${otherUnit}`;
      if (keptAs !== null)
        return `${placeText(place)} stores ${one} as ${inlineCode(keptAs)}, which is used ${how === "given" ? "for" : "with"} ${two}`;
      if (how === "given") return `${placeText(place)} uses ${one} for ${two}`;
      return `${placeText(place)} ${how === "compared" ? "compares" : "combines"} ${one} with ${two}`;
    },
    fix: ({ how, code, unit, other, otherUnit, place }) =>
      how === "tiny"
        ? {
            title: `Check the unit of ${inlineCode(code)} at ${placeText(place)}`,
            detail: `Its name says ${unit}. If the number is meant in a larger unit, convert it where it is set.`,
          }
        : {
            title: `Bring ${inlineCode(code)} and ${inlineCode(other)} to one unit at ${placeText(place)}`,
            detail:
              unit === null || otherUnit === null
                ? "Convert one of them where it is set or read, but only once."
                : `Convert one of them between ${unit} and ${otherUnit}, but only once.`,
          },
    prevent: () => ({
      title: "State the unit in every name",
      detail: "Convert once, where a value enters, and keep one unit inside.",
    }),
    confirmedBy: ({ code }) =>
      `the value of ${inlineCode(code)} in the failing call is off by a factor such as 60, 100, or 1,000`,
    ruledOutBy: ({ code }) =>
      `the value of ${inlineCode(code)} in the failing call is in the unit that the code there takes`,
  },
  isUntrained: true,
  // A small number may be meant.
  decides: { weight: 0.8, when: ({ how }) => how !== "tiny" },
  isOrigin: () => true,
});

function measured(code: string, unit: string | null): string {
  return unit === null ? inlineCode(code) : `${inlineCode(code)} (${unit})`;
}
