import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { valuesText } from "../inputs/local-values.ts";
import { factKind } from "./fact-kind.ts";

const observedSchema = z
  .object({
    place: locationSchema,
    /** The run of the failing command, from 2. */
    run: z.number(),
    /** What a function returned; null for a place that the run didn't reach before the throw. */
    returned: z.string().nullable(),
    /** Milliseconds before the throw; null for a place that wasn't reached. */
    beforeMs: z.number().nullable(),
    /** What variables were there, as the language writes them. */
    values: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
  })
  .readonly();

/** What a watched run of the failing command showed of a function. */
export type ObservedCall = z.output<typeof observedSchema>;

export const observed = factKind({
  name: "observed",
  means: "What a watched run of the failing command showed of a function",
  data: z.object({ observed: observedSchema }),
  example: {
    observed: {
      place: { file: "src/plan.js", line: 3, function: "planOf" },
      ...{ run: 2, returned: "undefined", beforeMs: 4 },
      values: [{ name: "id", value: '"p9"' }],
    },
  },
  evidence: ({ observed: { place, run, returned, beforeMs, values } }) => {
    if (returned === null) return `${placeText(place)} didn't run before the throw in run ${run}`;
    const where = values.length === 0 ? "" : `, where ${valuesText(values)}`;
    return `${placeText(place)} returned ${inlineCode(returned)} ${beforeMs} ms before the throw in run ${run}${where}`;
  },
  shown: ({ observed: { place, ...rest } }, shown) => ({
    observed: { ...rest, place: { ...place, file: shown(place.file) } },
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
