import type { Location } from "@whence/protocol";

/** Longest piece of outside text within a sentence. */
const inlineUnitsMax = 200;

/**
 * Text from outside inside a sentence: on one line, cut, in a code span that it cannot close, and without anything that
 * reads as a citation.
 */
export function inlineCode(text: string): string {
  const line = neutral(text.replace(/\s+/g, " ").trim());
  const cut = line.length > inlineUnitsMax ? `${line.slice(0, inlineUnitsMax - 1)}…`.toWellFormed() : line;
  if (cut === "") return "(empty)";
  const ticks = "`".repeat(longestRun(cut) + 1);
  const pad = cut.startsWith("`") || cut.endsWith("`") ? " " : "";
  return `${ticks}${pad}${cut}${pad}${ticks}`;
}

/** Text from outside as a block of code that it cannot close. */
export function codeBlock(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${neutral(text)}\n${fence}`;
}

/** `[e1, e2]`; nothing for no ids. */
export function citation(ids: readonly string[]): string {
  return ids.length === 0 ? "" : `[${[...new Set(ids)].join(", ")}]`;
}

/** `` `load` in `src/a.js`, line 3 ``. */
export function placeText({ file, line, function: name }: Location): string {
  const where = `${inlineCode(file)}${line === null ? "" : `, line ${line}`}`;
  return name === null ? where : `${inlineCode(name)} in ${where}`;
}

/** With a capital first letter, unless it begins with code. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A signature's sentence with the words that it matched; a group that did not take part leaves "it". */
export function fill(sentence: string, groups: Readonly<Record<string, string>>): string {
  const word = (_: string, name: string): string => (groups[name] === undefined ? "it" : inlineCode(groups[name]));
  return sentence.replace(/`\{(\w+)\}`/g, word).replace(/\{(\w+)\}/g, word);
}

/** `[e1]` in somebody's log is no citation of ours. */
function neutral(text: string): string {
  return text.replace(/\[(?=e[1-9])/g, "[ ");
}

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (const char of text) {
    run = char === "`" ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
