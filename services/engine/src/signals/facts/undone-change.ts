import { z } from "zod";
import { count, list, placeText } from "../../words/prose.ts";
import { commitSchema, shortId } from "./commit.ts";
import { factKind } from "./fact-kind.ts";

const tests = z.object({ passed: z.number(), failed: z.number() }).nullable();
const placeSchema = z.object({ file: z.string(), line: z.number() }).readonly();

const undoneSchema = z
  .object({
    /** Null where the change isn't committed. */
    commit: commitSchema.nullable(),
    /** Where it is undone: at most {@link undonePlacesMax}. */
    places: z.array(placeSchema).min(1),
    /** How many places there are besides. */
    others: z.number(),
    /** The tests of the command as it is and with the change undone; null where they weren't counted. */
    before: tests,
    after: tests,
  })
  .readonly();

/** Places that a sentence names. */
export const undonePlacesMax = 3;

export const undoneChange = factKind({
  name: "undone-change",
  means: "The part of a change without which the failing command passes in a copy of the tree",
  data: z.object({ undone: undoneSchema }),
  example: {
    undone: {
      commit: null,
      places: [{ file: "src/plan.js", line: 3 }],
      others: 0,
      before: { passed: 11, failed: 1 },
      after: { passed: 12, failed: 0 },
    },
  },
  evidence: ({ undone }) => {
    const { before, after } = undone;
    const counts = before && after ? `: ${count(after.passed, "test")} passed, ${before.passed} with it` : "";
    return `Without ${changeText(undone)}, in a copy of the tree, the command passes${counts}`;
  },
  shown: ({ undone }, shown) => ({
    undone: { ...undone, places: undone.places.map((place) => ({ ...place, file: shown(place.file) })) },
  }),
  isComputed: true,
  isMoment: () => false,
  problems: ({ undone: { places } }, excerpt) =>
    places.every(({ file }) => excerpt.includes(JSON.stringify(file)))
      ? []
      : ["its files aren't those that were changed back"],
});

/** Returns the change and its places: ``the uncommitted change of `src/a.js:3` ``. */
export function changeText({ commit, places, others }: z.output<typeof undoneSchema>): string {
  const named = places.map((place) => placeText({ ...place, function: null }));
  const all = list(others === 0 ? named : [...named, count(others, "other place")]);
  return commit === null ? `the uncommitted change of ${all}` : `the change of ${all} in commit ${shortId(commit.id)}`;
}
