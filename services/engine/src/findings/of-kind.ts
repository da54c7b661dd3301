import type { Fact } from "../signals/fact.ts";
import type { Observation } from "./observation.ts";

/** An observation whose fact is of one kind. */
export type Seen<K extends Fact["kind"]> = Observation<Extract<Fact, { readonly kind: K }>>;

/** The observations that show facts of one kind. */
export function ofKind<K extends Fact["kind"]>(observations: readonly Observation[], kind: K): Seen<K>[] {
  return observations.filter((one): one is Seen<K> => one.fact.kind === kind);
}
