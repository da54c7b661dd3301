import type { ParsedError } from "../findings/parsed-error.ts";
import type { Candidate } from "../rank/candidate.ts";
import { lastName } from "../signals/code/step-code.ts";
import type { ValueStep } from "../signals/code/step-words.ts";
import type { Advice } from "../words/link-words.ts";
import { wordsOfName } from "../words/name-words.ts";
import { inlineCode, placeText } from "../words/prose.ts";

/** Returns what to do where a data file sets a limit that may merely have been reached; null for anything else. */
export function reachedLimitFix(
  { how, name, place }: Pick<ValueStep, "how" | "name" | "place">,
  error: ParsedError,
  first: Candidate | undefined,
): Advice | null {
  const limit = lastName(name) ?? name;
  if (how !== "data" || !isLimit(limit) || !isReached(limit, error, first)) return null;
  return {
    title: `Find out whether ${inlineCode(limit)} is reached, and by what`,
    detail: `${placeText(place)} sets this limit. An error at a limit doesn't show that its value is wrong.`,
  };
}

const limits: ReadonlySet<string> = new Set(["timeout", "deadline", "limit", "max", "maximum", "ttl"]);

/** Returns whether a name is one of a limit: `maxConnections`, `acquire_time_out`, but not `delimiter` or `battle`. */
function isLimit(name: string): boolean {
  const words = wordsOfName(name);
  return words.some((word, index) => limits.has(word) || (word === "time" && words[index + 1] === "out"));
}

const reachedInType = /(?:Timeout|Deadline|Limit)(?:Exceeded|Reached)?(?:Error|Exception)?$/;
const reachedInMessage =
  /\btime(?:d|s)? ?out\b|\bwithin \d+(?:\.\d+)? ?(?:ms|milliseconds?|s|secs?|seconds?|m|min|minutes?)\b|\bexceed(?:s|ed)\b|\bexhausted\b|\b(?:limit|maximum|max)(?: \S{1,40}){0,4} reached\b|\breached (?:\S{1,40} ){0,3}(?:limit|maximum)\b/i;

/** What a check says of a value that can't be used. */
const unusable =
  /\b(?:must|should)\b|\btoo (?:low|small|short)\b|\binvalid\b|\billegal\b|\bnot allowed\b|\bnot a\b|\bout of range\b|\bnegative\b|\bNaN\b/i;
const exceeds = /^\W{0,3}(?:\S{1,20} ){0,2}?exceed(?:s|ed)\b/i;

/** Returns whether an error says that a limit was reached, rather than that its value can't be used. */
function isReached(limit: string, { exceptions }: ParsedError, first: Candidate | undefined): boolean {
  const said = exceptions.map(({ type, message }) => ({ type, message: message.slice(0, messageUnitsRead) }));
  const named = said.flatMap(({ message }) => {
    const at = message.indexOf(limit);
    return at < 0 ? [] : [{ message, after: message.slice(at + limit.length, at + limit.length + 80) }];
  });
  if (named.some(({ message, after }) => unusable.test(message) || exceeds.test(after))) return false;
  return (
    first?.category === "timeout" ||
    first?.category === "resource-exhaustion" ||
    said.some(({ type, message }) => reachedInType.test(type) || reachedInMessage.test(message))
  );
}

const messageUnitsRead = 2_000;
