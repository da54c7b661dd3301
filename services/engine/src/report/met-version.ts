import type { ParsedError } from "../findings/parsed-error.ts";

/** A version that an advice asks for, and the one that Node.js prints when an error ends it. */
const wanted = /\bNode\.js (\d+)(?:\.(\d+))? or later\b/;
const printed = /\bNode\.js v(\d+)\.(\d+)/;

/** Returns whether an advice asks for a version of Node.js that the failing process already had. */
export function asksForMetVersion(advice: string, { sources }: Pick<ParsedError, "sources">): boolean {
  const least = versionIn(advice, wanted);
  if (least === null) return false;
  return sources.some(({ text }) => {
    const had = versionIn(text, printed);
    return had !== null && (had.major > least.major || (had.major === least.major && had.minor >= least.minor));
  });
}

function versionIn(text: string, pattern: RegExp): { readonly major: number; readonly minor: number } | null {
  const [, major, minor = "0"] = pattern.exec(text) ?? [];
  return major === undefined ? null : { major: Number(major), minor: Number(minor) };
}
