import type { Location } from "@whence/protocol";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import { type HandedOn, isHandedOn } from "./symptom.ts";

/** Returns whether the value that failed is the one that a link handed on, rather than one that a call made with it. */
export function isValueOf(link: HandedOn, last: Link): boolean {
  return last.kind === "code" && last.args.signal.kind === "bad-value" && isHandedUnchanged(link.args.signal);
}

/**
 * Returns where the value that failed comes from, with what failed, the fullest first: what a link that hands it on does
 * isn't wrong. Empty where what the link does says more: it found nothing, or didn't check a response.
 */
export function handedOnLead(
  origin: Link,
  last: Link,
  failed: readonly string[],
  isSure: boolean,
  { headline }: Messages,
): readonly string[] {
  if (!isHandedOn(origin) || telling.has(origin.args.signal.args.how) || origin.args.isUnchecked) return [];
  const { signal, place } = origin.args;
  if (isValueOf(origin, last)) return failed.map((text) => headline.valueFrom(place, text, isSure));
  const { code } = signal.args;
  const fullest = failed.slice(0, isNaming(code, place) ? 1 : 0);
  return [
    ...fullest.map((text) => headline.dependingOn(place, text, code, isSure)),
    ...failed.map((text) => headline.inPlace(place, text, isSure)),
  ];
}

/** Returns whether code says more of a value than its place does: it isn't a literal, nor the name of its function. */
function isNaming(code: string, place: Location): boolean {
  return /^[\p{L}_$@]/u.test(code) && code !== place.function;
}

/** Steps that say more than that they hand a value on. */
const telling: ReadonlySet<ValueSource> = new Set<ValueSource>(["lookup"]);

/** Steps whose result is another value than what they are given. */
const making: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...(["call", "lookup", "awaited-call", "computed", "parsed-text", "outside-answer"] as const),
]);
const returned: ReadonlySet<ValueSource> = new Set<ValueSource>(["return", "returns-nothing"]);

/** Returns whether a value itself went on to the failure, rather than one that a call made with it. */
function isHandedUnchanged(signal: AnyCodeSignal): boolean {
  for (let at = signal; at.towards !== null; at = at.towards) {
    const next = at.towards;
    if (at.kind !== "value-step" || next.kind !== "value-step") continue;
    if (making.has(next.args.how) && !returned.has(at.args.how)) return false;
  }
  return true;
}
