import { z } from "zod";
import { count, list } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

/** Why statements of a model aren't used, as clauses after "1" and after a larger number. */
export const dropReasons = {
  "no-citation": ["cites nothing", "cite nothing"],
  "quote-missing": ["quotes what isn't there", "quote what isn't there"],
  "no-such-place": ["names a place that doesn't exist", "name a place that doesn't exist"],
  "quotes-other": ["quotes nothing about what it names", "quote nothing about what they name"],
  "words-unproven": ["says more than it quotes", "say more than they quote"],
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
    const rest = left === 0 ? " Nothing is left, so the report is the engine's alone." : "";
    return `Language model: ${droppedText(of, dropped, dropReasons)}.${rest}`;
  },
});

/** Returns how many of a model's statements were dropped, and why. */
export function droppedText<Reason extends string>(
  of: number,
  dropped: readonly Reason[],
  reasons: Readonly<Record<Reason, readonly [one: string, more: string]>>,
): string {
  const why = [...Map.groupBy(dropped, (one) => one)].map(
    ([one, { length }]) => `${length} ${reasons[one][length === 1 ? 0 : 1]}`,
  );
  const which = of === 1 ? "its only statement" : `${dropped.length} of its ${count(of, "statement")}`;
  return `${which} ${dropped.length === 1 ? "was" : "were"} dropped (${list(why)})`;
}

/** Why a statement of a model isn't used. */
export type DropReason = keyof typeof dropReasons;
