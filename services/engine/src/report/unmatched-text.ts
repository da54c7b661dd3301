import { isMissingValue } from "../signals/code/bad-value.ts";
import type { Advice } from "../words/link-words.ts";
import { inlineCode, placeText, shortCode } from "../words/prose.ts";
import type { Link } from "./link.ts";

/** Returns what to do about the match of a regular expression that gave nothing; null where a failure isn't one. */
export function unmatchedFix(last: Link | undefined): Advice | null {
  if (last?.kind !== "code" || last.args.signal.kind !== "bad-value") return null;
  const { args } = last.args.signal;
  if (!args.unmatched || !isMissingValue(args)) return null;
  const { code, text, pattern } = args.unmatched;
  const quoted = pattern === null ? "" : ` The pattern is ${inlineCode(pattern)}.`;
  return {
    title: `Find out why ${inlineCode(shortCode(text))} doesn't match at ${placeText(last.args.place)}`,
    detail: `${inlineCode(shortCode(code))} gives ${inlineCode(args.was)} for text that doesn't match.${quoted}`,
  };
}
