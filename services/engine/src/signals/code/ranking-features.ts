import { type AnyCodeSignal, type CodeSignal, type CodeSignalKind, kindOf } from "../signal.ts";
import type { ComparedFeatures } from "./code-kind.ts";
import { codeKinds } from "./kinds.ts";

const kinds = Object.values(codeKinds);

/** What features are about: a file, a place in it, or the failure as a whole. */
export type Described = "file" | "place" | "failure";

/** Returns the learned ranking's features from some signals. A feature of several kinds gets its maximum. */
export function signalFeatures(described: Described, signals: readonly AnyCodeSignal[]): Record<string, number> {
  const features: Record<string, number> = {};
  for (const { name } of kinds)
    for (const [feature, value] of Object.entries(featuresOf(name, described, signals)))
      features[feature] = Math.max(value, features[feature] ?? 0);
  return features;
}

function featuresOf<K extends CodeSignalKind>(
  kind: K,
  described: Described,
  signals: readonly AnyCodeSignal[],
): Readonly<Record<string, number>> {
  const isOfKind = (signal: AnyCodeSignal): signal is AnyCodeSignal & CodeSignal<K> => signal.kind === kind;
  return kindOf<K>({ kind }).ranks?.[described]?.(signals.filter(isOfKind)) ?? {};
}

/** The file features whose maximum on the stack, or off it, is a feature of the failure. */
export const comparedFeatures: ComparedFeatures = {
  on: kinds.flatMap(({ ranks }) => ranks?.compared?.on ?? []),
  off: kinds.flatMap(({ ranks }) => ranks?.compared?.off ?? []),
};
