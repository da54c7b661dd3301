import { locationSchema } from "@whence/protocol";
import { z } from "zod";
import { count, placeText } from "../../words/prose.ts";

import { factKind } from "./fact-kind.ts";

const tests = z.object({ passed: z.number(), failed: z.number() }).nullable();

const triedSchema = z
  .object({
    /** The first place that it changes. */
    place: locationSchema,
    outcome: z.enum(["repaired", "changed", "fails"]),
    /** The tests of the command without the patch and with it; null where they weren't counted. */
    before: tests,
    after: tests,
  })
  .readonly();

export const triedPatch = factKind({
  name: "tried-patch",
  means: "What the failing command did with a patch in a copy of the tree, where it failed without it",
  data: z.object({ tried: triedSchema }),
  example: {
    tried: {
      place: { file: "src/plan.js", line: 3, function: "planOf" },
      outcome: "repaired",
      before: { passed: 11, failed: 1 },
      after: { passed: 12, failed: 0 },
    },
  },
  evidence: ({ tried: { place, outcome, before, after } }) => {
    const counts = before && after ? `: ${count(after.passed, "test")} passed, ${before.passed} without it` : "";
    const patched = `With the patch at ${placeText(place)}, tried in a copy of the tree,`;
    if (outcome === "repaired") return `${patched} the command passes${counts}`;
    if (outcome === "fails") return `${patched} the error occurs as before${counts}`;
    return `${patched} the error is gone, but something else fails or is missing${counts}`;
  },
  shown: ({ tried: { place, ...rest } }, shown) => ({
    tried: { ...rest, place: { ...place, file: shown(place.file) } },
  }),
  isComputed: true,
  isMoment: () => false,
  problems: ({ tried: { outcome, place } }, excerpt) => [
    ...(excerpt.includes(`"outcome":"${outcome}"`) ? [] : ["its outcome isn't the one that was observed"]),
    ...(excerpt.includes(JSON.stringify(place.file)) ? [] : ["its file isn't the one that was patched"]),
  ],
});
