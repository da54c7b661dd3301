import { z } from "zod";
import { inlineCode, placeText } from "../../words/prose.ts";
import { codeKind } from "./code-kind.ts";

/** A promise or coroutine that is handed on as if it were its value, and that the failing code gets. */
export const unawaitedValue = codeKind({
  name: "unawaited-value",
  means: "The failing value is what an async function promised: nothing awaits it on the way to the failure",
  args: z.object({
    callee: z.string(),
    /** What the failing code reads from it; null when it uses the value as a whole. */
    read: z.string().nullable(),
  }),
  example: { callee: "loadOrder", read: "total" },
  link: {
    what: ({ callee, read, place }) =>
      `${placeText(place)} hands on the result of ${inlineCode(callee)} without awaiting it${read === null ? "" : `, and the failing code reads ${inlineCode(read)} from it`}`,
    fix: ({ callee, place }) => ({
      title: `Await ${inlineCode(callee)} at ${placeText(place)}`,
      detail: "What is handed on is then the value itself, not a promise of it.",
    }),
    prevent: ({ callee }) => ({
      title: "Check types before a release",
      detail: `A type checker refuses the result of ${inlineCode(callee)} where its value is expected.`,
    }),
    confirmedBy: ({ callee }) => `the failure stops once ${inlineCode(callee)} is awaited`,
    ruledOutBy: ({ callee }) => `the same failure occurs when ${inlineCode(callee)} is awaited`,
  },
  isUntrained: true,
  decides: { weight: 0.9 },
  isOrigin: () => true,
  repair: ({ callee }) => [{ by: "await", callee }],
  category: () => "missing-await",
});
