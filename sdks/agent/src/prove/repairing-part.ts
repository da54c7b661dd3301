import { minimalPart } from "./minimal-part.ts";

/** What a run without a part showed: success, the same failure, or something else. */
export interface Judged {
  readonly verdict: "passes" | "fails" | "differs";
  /** How many tests passed, if that was counted. */
  readonly passed: number;
}

/** How a change is searched for the part that makes a command fail. */
export interface PartSearch<Element> {
  readonly judge: (part: readonly Element[]) => Promise<Judged>;
  /** Cuts a part with several elements into smaller ones. */
  readonly cut: (part: readonly Element[]) => readonly (readonly Element[])[];
  /** Parts to try before others. */
  readonly first: readonly (readonly Element[])[];
  readonly isOver: () => boolean;
}

/**
 * Returns the smallest part found without which a command passes; null when there is none. Nothing in a part without
 * which it fails as before is the cause alone, so that is left out. Without others, such as those that a new test needs,
 * it fails in another way: their pieces are tried, beginning with those of the part without which the most tests pass.
 * A part that passes without any piece of it that does is made smaller by delta debugging.
 */
export async function repairingPart<Element>(
  whole: readonly Element[],
  search: PartSearch<Element>,
): Promise<readonly Element[] | null> {
  const ofWhole = await search.judge(whole);
  const cut: typeof search.cut = (part) =>
    part === whole ? [...search.first, ...search.cut(whole)] : search.cut(part);
  const within = await passingWithin(whole, ofWhole, { ...search, cut });
  const found = within ?? (ofWhole.verdict === "passes" ? whole : null);
  const passes = async (part: readonly Element[]): Promise<boolean> => (await search.judge(part)).verdict === "passes";
  return found && minimalPart(found, passes, search.isOver);
}

async function passingWithin<Element>(
  whole: readonly Element[],
  judged: Judged,
  search: PartSearch<Element>,
): Promise<readonly Element[] | null> {
  const open = [{ part: whole, passed: judged.passed }];
  for (let next = open.shift(); next && !search.isOver(); next = open.shift()) {
    for (const part of next.part.length > 1 ? search.cut(next.part) : []) {
      if (search.isOver()) return null;
      const piece = await search.judge(part);
      if (piece.verdict === "passes") return (await passingWithin(part, piece, search)) ?? part;
      if (piece.verdict === "differs") open.push({ part, passed: piece.passed });
    }
    open.sort((one, other) => other.passed - one.passed);
  }
  return null;
}
