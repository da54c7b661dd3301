import type { Observation } from "../findings/observation.ts";
import type { ModelCitation } from "../signals/facts/model-finding.ts";

/** The shortest beginning of a digest that names a piece of evidence. */
const digestUnitsMin = 8;

/** Returns whether a digest that a model gives is the beginning of another one. */
export function isNamedBy(digest: string, sha256: string): boolean {
  return digest.length >= digestUnitsMin && sha256.startsWith(digest);
}

/** Returns the pieces of evidence that citations name. */
export function quotedIn(
  citations: readonly ModelCitation[],
  observations: readonly Observation[],
): readonly Observation[] {
  return observations.filter(({ sha256 }) =>
    citations.some((one) => one.kind === "evidence" && isNamedBy(one.digest, sha256)),
  );
}
