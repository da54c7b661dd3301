import type { Location } from "@whence/protocol";
import { inlineCode, placeText } from "../../words/prose.ts";
import { isUnnamed, type Thrown, thrownText } from "../../words/thrown.ts";

/** Returns that a place throws, as a clause. `isReworded` is whether other code changed the error's message afterwards. */
export function throwing(place: Location, thrown: Thrown | null, isReworded = false): string {
  if (thrown === null) return `${placeText(place)} throws`;
  return thrownFrom(place, thrown, isReworded ? "throws what became" : "throws");
}

/** Returns that a place fails, as a clause: what throws there isn't known, or it's the runtime. */
export function failing(place: Location, thrown: Thrown | null): string {
  return thrown === null ? `${placeText(place)} fails` : thrownFrom(place, thrown, "fails with");
}

function thrownFrom(place: Location, thrown: Thrown, verb: string): string {
  return isUnnamed(thrown)
    ? `the stack leads to ${placeText(place)}`
    : `${placeText(place)} ${verb} ${inlineCode(thrownText(thrown))}`;
}

/** The feature of a place where the error was thrown. */
export function throwsHere(signals: readonly unknown[]): { readonly placeThrows: number } {
  return { placeThrows: Number(signals.length > 0) };
}
