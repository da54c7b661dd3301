import type { Location } from "@whence/protocol";
import { inlineCode, placeText } from "../../words/prose.ts";
import { isUnnamed, type Thrown, thrownText } from "../../words/thrown.ts";

/** Returns that a place throws, as a clause. */
export function throwing(place: Location, thrown: Thrown | null): string {
  if (thrown === null) return `${placeText(place)} throws`;
  return isUnnamed(thrown)
    ? `the stack leads to ${placeText(place)}`
    : `${placeText(place)} throws ${inlineCode(thrownText(thrown))}`;
}

/** The feature of a place where the error was thrown. */
export function throwsHere(signals: readonly unknown[]): { readonly placeThrows: number } {
  return { placeThrows: Number(signals.length > 0) };
}
