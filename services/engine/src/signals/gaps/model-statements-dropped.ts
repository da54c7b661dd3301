import { z } from "zod";
import { count, list } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

/** Why statements of a model aren't used, as clauses after their number. */
export const dropReasons = {
  "no-citation": "cites nothing",
  "quote-missing": "quotes what isn't there",
  "no-such-place": "names a place that doesn't exist",
  "quotes-other": "quotes nothing about what it names",
  "words-unproven": "says more than it quotes",
} as const;

export const modelStatementsDropped = gapKind({
  name: "model-statements-dropped",
  means: "Statements of a language model that don't hold and aren't used",
  args: z.object({
    of: z.number(),
    /** Findings that are left. */
    left: z.number(),
    dropped: z.array(z.enum(["no-citation", "quote-missing", "no-such-place", "quotes-other", "words-unproven"])),
  }),
  example: { of: 3, left: 1, dropped: ["quote-missing", "no-such-place"] },
  sentence: ({ of, left, dropped }) => {
    const rest = left === 0 ? " Nothing is left, so the report doesn't use the model." : "";
    return `Language model: ${droppedText(of, dropped, dropReasons)}.${rest}`;
  },
});

/** Returns how many of a model's statements were dropped, and why. */
export function droppedText<Reason extends string>(
  of: number,
  dropped: readonly Reason[],
  reasons: Readonly<Record<Reason, string>>,
): string {
  const why = [...Map.groupBy(dropped, (one) => one)].map(([one, same]) => `${same.length} ${reasons[one]}`);
  return `${dropped.length} of its ${count(of, "statement")} dropped (${list(why)})`;
}

/** Why a statement of a model isn't used. */
export type DropReason = keyof typeof dropReasons;
