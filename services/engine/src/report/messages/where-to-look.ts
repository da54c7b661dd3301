import type { Location } from "@whence/protocol";
import type { Advice } from "../../words/link-words.ts";
import { inlineCode, placeText, sentence, shortCode } from "../../words/prose.ts";
import type { Dependence } from "../dependence.ts";

/**
 * What to look at first where no remedy is known, with what refused the value as its detail. `refusal` is a clause, or
 * null where the report says no more of it than its error.
 */
export const whereToLook = {
  /** A value that was missing where it failed. `state` is a predicate, such as "is `undefined`". */
  missing: (code: string, state: string, place: Location, refusal: string | null): Advice =>
    look(`Find out why ${inlineCode(shortCode(code))} ${state} at ${placeText(place)}`, refusal),
  /** A parameter that was missing where it failed. */
  missingArgument: (name: string, state: string, place: Location, refusal: string | null): Advice =>
    look(`Find the call of ${placeText(place)} in which ${inlineCode(name)} ${state}`, refusal),
  value: (code: string, place: Location, refusal: string | null): Advice => {
    const checked = inlineCode(shortCode(code));
    return look(`Check ${isPath.test(code) ? `what ${checked} is` : checked} at ${placeText(place)}`, refusal);
  },
  /** `name` is null for the parameters of a function together. */
  argument: (name: string | null, place: Location, refusal: string | null): Advice =>
    look(`Check what ${placeText(place)} gets as ${name === null ? "its arguments" : inlineCode(name)}`, refusal),
  /** A nameless function that is passed to a call. */
  callback: (name: string | null, place: Location, refusal: string | null): Advice =>
    look(
      `Check what the callback at ${placeText(place)} gets${name === null ? "" : ` as ${inlineCode(name)}`}`,
      refusal,
    ),
  /** Own code that calls into an installed package, where it fails. */
  passed: (caller: Location, place: Location, refusal: string | null): Advice =>
    look(`Check what ${placeText(caller)} passes on to ${placeText(place)}`, refusal),
  /** A call on the stack. */
  call: (place: Location, refusal: string | null): Advice => look(`Check the call at ${placeText(place)}`, refusal),
  failedCall: (called: string, place: Location): Advice =>
    look(`Check the call of ${inlineCode(shortCode(called))} at ${placeText(place)}`, null),
  thrown: (place: Location): Advice => look(`Find what leads to the throw at ${placeText(place)}`, null),
  /** A place in an installed package that no other code on the stack called. */
  package: (place: Location, isAll: boolean): Advice => ({
    title: `Find the call that leads to ${placeText(place)}`,
    detail: isAll ? "The stack shows only code of installed packages." : "",
  }),
  /** Code that wasn't given. */
  unread: (place: Location): Advice => ({
    title: `Read ${placeText(place)}, or attach the file`,
    detail: "Its code wasn't given, so nothing there was checked.",
  }),
  place: (place: Location, refusal: string | null): Advice => look(`Read ${placeText(place)}`, refusal),
  /** A place that isn't on the stack, and on which other code depends. */
  offStack: (place: Location, dependence: Dependence | null, refusal: string | null): Advice =>
    look(dependence === null ? `Read ${placeText(place)}` : dependedOn(place, dependence), refusal),
} as const;

/** A variable, with fields and elements. */
const isPath = /^(?:[@$#]|this\b)?[\w$@]+(?:(?:\??\.|::|->)#?[\w$]+|\[[\w$.'":]+\])*$/;

function look(title: string, refusal: string | null): Advice {
  return { title, detail: refusal === null ? "" : sentence(refusal) };
}

function dependedOn(place: Location, { kind, name }: Dependence): string {
  const [where, named] = [placeText(place), inlineCode(name ?? "")];
  return {
    local: `Check what ${where} sets ${named} to`,
    field: `Check what ${where} sets ${named} to`,
    argument: `Check what ${where} passes as ${named}`,
    result: `Read ${where}`,
    change: `Check how ${where} changes ${named}`,
    named: `Read ${where}`,
    user: `Check how ${where} uses ${named}`,
    file: `Read ${where}`,
  }[kind];
}
