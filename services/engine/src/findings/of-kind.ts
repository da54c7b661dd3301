import type { Fact } from "../signals/fact.ts";
import type { Observation } from "./observation.ts";

/** An observation of one kind of fact. */
export type Seen<K extends Fact["kind"]> = Observation<Extract<Fact, { readonly kind: K }>>;

/** Returns the observations of one kind of fact. */
export function ofKind<K extends Fact["kind"]>(observations: readonly Observation[], kind: K): Seen<K>[] {
  return observations.filter((one): one is Seen<K> => one.fact.kind === kind);
}
