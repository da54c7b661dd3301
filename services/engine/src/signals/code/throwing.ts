import type { Location } from "@whence/protocol";
import { inlineCode, placeText } from "../../words/prose.ts";
import { type Thrown, thrownText } from "../../words/thrown.ts";

/** That a place throws, as a clause. */
export function throwing(place: Location, thrown: Thrown | null): string {
  return thrown === null
    ? `${placeText(place)} throws`
    : `${placeText(place)} throws ${inlineCode(thrownText(thrown))}`;
}

/** The feature of a place with a signal that the error was thrown there. */
export function throwsHere(signals: readonly unknown[]): { readonly placeThrows: number } {
  return { placeThrows: Number(signals.length > 0) };
}
