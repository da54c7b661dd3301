import type { Gap } from "../signals/gap.ts";
import { isNamedInFull } from "../signals/gaps/file-not-given.ts";
import type { Advice } from "../words/link-words.ts";
import { inlineCode, list } from "../words/prose.ts";

/** Returns where to look for the origin of a value that comes from files that weren't given; null where none is known. */
export function absentFileFix(gaps: readonly Gap[]): Advice | null {
  const [first, ...others] = gaps.filter((gap) => gap.kind === "file-not-given");
  if (!first) return null;
  const rest = others.length === 0 ? "" : ` Nor ${others.length === 1 ? "was" : "were"} ${list(others.map(nounOf))}.`;
  return {
    title: `Look at ${nounOf(first)}`,
    detail: `The value may come from there: ${inlineCode(first.file)} imports it, and it wasn't given.${rest}`,
  };
}

function nounOf({ name, module }: Gap<"file-not-given">): string {
  return isNamedInFull(name, module) ? inlineCode(module) : `${inlineCode(name)} in ${inlineCode(module)}`;
}
