import { isMissingValue } from "../signals/code/bad-value.ts";
import type { Advice } from "../words/link-words.ts";
import { inlineCode, placeText, shortCode } from "../words/prose.ts";
import type { Link } from "./link.ts";

/** A regular expression and the text that it was tried on, as the code spells them. */
interface Match {
  readonly pattern: string;
  readonly text: string;
}

/** Longer patterns are named rather than quoted. */
const patternUnitsMax = 120;

/** Returns what to do about the match of a regular expression that gave nothing; null where a failure isn't one. */
export function unmatchedFix(last: Link | undefined): Advice | null {
  if (last?.kind !== "code" || last.args.signal.kind !== "bad-value") return null;
  const { args, subject } = last.args.signal;
  if (!isMissingValue(args)) return null;
  const lines = (subject.source?.text ?? "").split("\n");
  const code = setTo(args.expression, lines.slice(0, subject.line ?? 0)) ?? args.expression;
  const match = matchIn(code, last.args.place.file);
  if (!match) return null;
  const spelled = patternOf(match.pattern, lines);
  const quoted = spelled === null ? "" : ` The pattern is ${inlineCode(spelled)}.`;
  return {
    title: `Find out why ${inlineCode(shortCode(match.text))} doesn't match at ${placeText(last.args.place)}`,
    detail: `${inlineCode(shortCode(code))} gives ${inlineCode(args.was)} for text that doesn't match.${quoted}`,
  };
}

/** Returns what a variable was last set to on one line; null where it wasn't. */
function setTo(name: string, lines: readonly string[]): string | null {
  if (!/^[\w$]+$/.test(name)) return null;
  const assigned = new RegExp(
    `^\\s*(?:export\\s+)?(?:(?:const|let|var)\\s+)?${name.replaceAll("$", "\\$")}\\s*=\\s*([^=].*)$`,
  );
  const line = lines.findLast((one) => assigned.test(one));
  return (
    assigned
      .exec(line ?? "")?.[1]
      ?.trim()
      .replace(/;$/, "") ?? null
  );
}

/** Returns the pattern and the text of a call that matches one with the other. */
function matchIn(code: string, file: string): Match | null {
  if (/\.pyi?$/.test(file)) {
    const [, pattern, text] =
      /^re\.(?:match|search|fullmatch)\((r?"[^"]*"|r?'[^']*'|[\w.]+),\s*([^(),]+)\)$/.exec(code) ??
      /^([A-Z][A-Z\d_]*)\.(?:match|search|fullmatch)\(([^(),]+)\)$/.exec(code) ??
      [];
    return pattern !== undefined && text !== undefined ? { pattern, text } : null;
  }
  if (!/\.[cm]?[jt]sx?$/.test(file)) return null;
  const [, pattern, tried] = /^(\/.+\/[a-z]*|[\w$.#]+)\.exec\(([^()]+)\)$/.exec(code) ?? [];
  if (pattern !== undefined && tried !== undefined) return { pattern, text: tried };
  const [, text, matched] = /^([\w$.#?[\]"']+?)\??\.match\((\/.+\/[a-z]*|[\w$.]+)\)$/.exec(code) ?? [];
  return text !== undefined && matched !== undefined ? { pattern: matched, text } : null;
}

/** Returns a pattern as it is written there, or where the file defines its name; null where neither is. */
function patternOf(pattern: string, lines: readonly string[]): string | null {
  const code = setTo(pattern, lines) ?? pattern;
  const written = /^re\.compile\((.+)\)$/.exec(code)?.[1] ?? code;
  const isWritten = /^(?:\/.+\/[a-z]*|r?"[^"]*"|r?'[^']*')$/.test(written);
  return isWritten && written.length <= patternUnitsMax ? written : null;
}
