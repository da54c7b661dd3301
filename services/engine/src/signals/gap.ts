import type { z } from "zod";
import type { GapKind } from "./gaps/gap-kind.ts";
import { gapKinds } from "./gaps/kinds.ts";

type GapKinds = typeof gapKinds;
export type GapName = keyof GapKinds;
type GapArgs = { readonly [K in GapName]: Readonly<z.output<GapKinds[K]["args"]>> };

/** Something that an investigation couldn't see or didn't look at, with the arguments of its kind. */
export type Gap<K extends GapName = GapName> = { readonly [P in K]: { readonly kind: P } & GapArgs[P] }[K];

/** Code that was read only in part, or searched only for the names that it defines. */
export type LeftOut = Omit<Gap<"code-left-out">, "kind">;

/** What an error leads to and the given code doesn't have. */
export type OutOfSight = Gap<"file-not-given" | "no-import-cycle">;

/** Why a text may have been made to show a different error than the one that occurred. */
export type ForgerySign = Gap<"forgeable-text">["signs"][number];

const table: { readonly [K in GapName]: GapKind<K, GapArgs[K]> } = gapKinds;

/** Returns what wasn't checked, and why, as a sentence. */
export function gapText<K extends GapName>(gap: Gap<K>): string {
  return table[gap.kind].sentence(gap);
}
