import type { OutsideSource } from "@whence/protocol";
import { z } from "zod";
import { outsideKinds } from "./outside/kinds.ts";
import type { OutsideKind } from "./outside/outside-kind.ts";
import { type OutsideView, type Relation, type Weighed, weightless } from "./outside/outside-view.ts";

type OutsideKinds = typeof outsideKinds;
export type OutsideKindName = keyof OutsideKinds;
type OutsideData = { readonly [K in OutsideKindName]: Readonly<z.output<OutsideKinds[K]["data"]>> };

/** What a connected third party reports about the time around a failure, with the data of its kind. */
export type OutsideFinding<K extends OutsideKindName = OutsideKindName> = {
  readonly [P in K]: OutsideData[P] & OutsideSource;
}[K];

const table: { readonly [K in OutsideKindName]: OutsideKind<K, OutsideData[K]> } = outsideKinds;

/** The parts common to all kinds: the kind, the vendor, and the address. */
const saidSchema = z.object({ kind: z.string(), vendor: z.string(), url: z.string().nullable() });

/** A finding of any kind. */
export const outsideFindingSchema = z.custom<OutsideFinding>((finding) => {
  const { data: said } = saidSchema.safeParse(finding);
  return Object.values(outsideKinds).some(({ name, data }) => name === said?.kind && data.safeParse(finding).success);
});

/** Returns what a third party reports, as a clause that names it. */
export function outsideText<K extends OutsideKindName>(finding: OutsideFinding<K>): string {
  return table[finding.kind].evidence(finding);
}

/** Returns what is impossible in a third party's finding. */
export function outsideProblems<K extends OutsideKindName>(finding: OutsideFinding<K>): readonly string[] {
  return table[finding.kind].problems?.(finding) ?? [];
}

/** Returns the weight of a finding as the cause. */
export function weighFinding<K extends OutsideKindName>(
  finding: OutsideFinding<K>,
  relation: Relation,
  failure: OutsideView,
): Weighed {
  return table[finding.kind].weigh?.(finding, relation, failure) ?? weightless;
}
