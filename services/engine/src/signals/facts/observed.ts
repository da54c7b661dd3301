import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { nameOf } from "../../words/release-names.ts";
import { valuesText } from "../inputs/local-values.ts";
import { factKind } from "./fact-kind.ts";

const duringSchema = z.union([
  /** The run of the failing command, from 2. */
  z.object({ run: z.number() }).readonly(),
  /** What failed in the running program, and when, RFC 3339. */
  z.object({ failed: z.enum(["request", "job"]), at: z.string() }).readonly(),
]);

/** The run in which a function was seen, or the request or job of the running program. */
export type SeenDuring = z.output<typeof duringSchema>;

const observedSchema = z
  .object({
    place: locationSchema,
    during: duringSchema,
    /** What a function returned; null for a place that wasn't reached before the throw. */
    returned: z.string().nullable(),
    /** Milliseconds before the throw; null for a place that wasn't reached. */
    beforeMs: z.number().nullable(),
    /** The expression that was missing there; null where what a function returned was seen. */
    missing: z.string().nullable(),
    /** The call that passed nothing for it; null where it isn't known, or another value was passed. */
    unpassedBy: locationSchema.nullable(),
    /** What it was missing from when the program got it: the request's body, or the answer of what was called. */
    outside: z.enum(["request", "answer"]).nullable(),
    /** The release that took it away, or that wrote the line which needs it. */
    changedBy: z
      .object({ service: z.string(), release: z.string(), how: z.enum(["took-away", "wrote"]) })
      .readonly()
      .nullable(),
    /** That the failing test ran it, and how many of the tests that didn't fail with such an error did; null otherwise. */
    inTest: z.object({ passed: z.number(), of: z.number() }).readonly().nullable(),
    /** The values of variables, in the language's own notation. */
    values: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
  })
  .readonly();

const changes = { "took-away": "took it away", wrote: "wrote this line" } as const;

/** What a watched run of the failing command, or the running program, showed of a function. */
export type ObservedCall = z.output<typeof observedSchema>;

export const observed = factKind({
  name: "observed",
  means: "What a watched run of the failing command, or the running program, showed of a function",
  data: z.object({ observed: observedSchema }),
  example: {
    observed: {
      place: { file: "src/plan.js", line: 3, function: "planOf" },
      during: { run: 2 },
      returned: "undefined",
      beforeMs: 4,
      missing: null,
      unpassedBy: null,
      outside: null,
      changedBy: null,
      inTest: null,
      values: [{ name: "id", value: '"p9"' }],
    },
  },
  evidence: ({
    observed: { place, during, returned, beforeMs, missing, unpassedBy, outside, changedBy, inTest, values },
  }) => {
    const seen =
      "run" in during ? `the throw in run ${during.run}` : `the ${during.failed} failed at ${utcTime(during.at)}`;
    if (missing !== null) {
      const reasons = [
        ...(unpassedBy === null ? [] : [`${placeText(unpassedBy)} doesn't pass it`]),
        ...(outside === null ? [] : [`the ${outside} came without it`]),
        ...(changedBy === null ? [] : [`${nameOf(changedBy)} ${changes[changedBy.how]}`]),
      ];
      const where = `${inlineCode(missing)} was already missing at ${placeText(place)}`;
      return [`${where} ${beforeMs} ms before ${seen}`, ...reasons].join("; ");
    }
    if (inTest) return `${placeText(place)} ran in the failing test before ${seen}${othersText(inTest)}`;
    if (returned === null) return `${placeText(place)} didn't run before ${seen}`;
    const where = values.length === 0 ? "" : `, where ${valuesText(values)}`;
    return `${placeText(place)} returned ${inlineCode(returned)} ${beforeMs} ms before ${seen}${where}`;
  },
  shown: ({ observed: { place, unpassedBy, ...rest } }, shown) => ({
    observed: {
      ...rest,
      place: { ...place, file: shown(place.file) },
      unpassedBy: unpassedBy && { ...unpassedBy, file: shown(unpassedBy.file) },
    },
  }),
  isComputed: true,
  isMoment: () => false,
  problems: ({ observed: { returned, place } }, excerpt) => [
    ...(returned === null || excerpt.includes(JSON.stringify(returned))
      ? []
      : ["what it returned isn't what was seen"]),
    ...(excerpt.includes(JSON.stringify(place.file)) ? [] : ["its file isn't the one that was seen"]),
  ],
});

/** Says whether other tests ran a function; how many did isn't certain, since the end of a test isn't seen. */
function othersText({ passed, of }: { readonly passed: number; readonly of: number }): string {
  if (of === 0) return "";
  if (passed > 0) return ", and in tests that didn't fail the same way";
  return `, and in none of ${of} ${of === 1 ? "test" : "tests"} that didn't fail the same way`;
}

/** Returns an RFC 3339 time as `14:02:31 UTC`. */
function utcTime(at: string): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}
