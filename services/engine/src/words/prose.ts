import type { Location } from "@whence/protocol";

/** Where terminals, emails, and descriptions of commits break lines; a shorter line is whole unless its end says otherwise. */
export const lineWidthMin = 60;

/** Longest piece of outside text within a sentence. */
const inlineUnitsMax = 200;

/**
 * Formats outside text for a sentence: on one line, truncated, in a code span that it can't close, and without anything
 * that looks like a citation.
 */
export function inlineCode(text: string): string {
  const line = neutral(text.replace(/\s+/g, " ").trim());
  const cut = line.length > inlineUnitsMax ? `${line.slice(0, inlineUnitsMax - 1)}…`.toWellFormed() : line;
  if (cut === "") return "(empty)";
  const ticks = "`".repeat(longestRun(cut) + 1);
  const pad = cut.startsWith("`") || cut.endsWith("`") ? " " : "";
  return `${ticks}${pad}${cut}${pad}${ticks}`;
}

/** The length of code within a sentence that is quoted in full elsewhere. A word that would leave less is cut. */
const shortUnits = { max: 50, min: 30 } as const;

/** Shortens code at a word, but for the last call of a chain that is shortened already: `db.run("SELECT a….first()`. */
export function shortCode(code: string): string {
  if (code.length <= shortUnits.max || !/\s/.test(code)) return code;
  const whole = code.slice(0, shortUnits.max + 1).replace(/[\s,]+\S*$/, "");
  const start = whole.length < shortUnits.min ? code.slice(0, shortUnits.max).trimEnd() : whole;
  return `${start.slice(0, shortUnits.max)}…${/…([^…]*)$/.exec(code)?.[1] ?? ""}`.toWellFormed();
}

/** Returns where processes ran as the end of a clause, with a space before it; empty when no client named its host. */
export function onHosts(hosts: readonly string[]): string {
  const named = hosts.filter((host) => host !== "");
  return named.length === 0 ? "" : ` on ${list(named.map(inlineCode))}`;
}

/** Formats outside text as a code block that it can't close. */
export function codeBlock(text: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${neutral(text)}\n${fence}`;
}

/** Returns `[e1, e2]`; empty without ids. */
export function citation(ids: readonly string[]): string {
  return ids.length === 0 ? "" : `[${[...new Set(ids)].join(", ")}]`;
}

/** Appends a citation to a sentence. */
export function cited(sentence: string, ids: readonly string[]): string {
  return ids.length === 0 ? sentence : `${sentence} ${citation(ids)}`;
}

/** The file of code that is in none: of a notebook, a console, or a call without symbols. */
export const noFile = "<unknown>";

/**
 * Returns `` `load` (`src/a.js:3`) ``; without a function, `` `src/a.js:3` ``; without a file, `` `load` (line 3) ``;
 * without both, `line 3`.
 */
export function placeText({ file, line, function: name }: Location): string {
  const isNamed = name !== null && name !== "";
  if (file === noFile && isNamed) return line === null ? inlineCode(name) : `${inlineCode(name)} (line ${line})`;
  if (file === noFile && line !== null) return `line ${line}`;
  const where = inlineCode(line === null ? file : `${file}:${line}`);
  return isNamed ? `${inlineCode(name)} (${where})` : where;
}

/** Capitalizes a text, unless it begins with code. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Turns a clause into a sentence, with a capital letter and a full stop. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? capital(text) : `${capital(text)}.`;
}

/** `1 event`, `5 events`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `78%`; small shares with a decimal. */
export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))}%`;
}

/** `40 s`, `12 min`, `3 h`, `2 days`: in the unit that a person would choose. */
export function duration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = seconds / 60;
  if (minutes < 120) return `${Math.round(minutes)} min`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} days`;
}

/** `1.4 GiB`, `120 MiB`. */
export function bytes(number: number): string {
  const mebibytes = number / 1_048_576;
  return mebibytes >= 1_024 ? `${(mebibytes / 1_024).toFixed(1)} GiB` : `${Math.round(mebibytes)} MiB`;
}

/** `a`, `a and b`, `a, b, and c`. */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? "";
  if (items.length < 2) return last;
  return items.length === 2 ? `${items[0]} and ${last}` : `${items.slice(0, -1).join(", ")}, and ${last}`;
}

/** Returns a signature's sentence with the matched words filled in; null when it needs a word that didn't match. */
export function fill(sentence: string, groups: Readonly<Record<string, string>>): string | null {
  let isWhole = true;
  const word = (_: string, name: string): string => {
    const found = groups[name];
    if (found === undefined || found === "") isWhole = false;
    return inlineCode(found ?? "");
  };
  const filled = sentence.replace(/`\{(\w+)\}`/g, word).replace(/\{(\w+)\}/g, word);
  return isWhole ? filled : null;
}

/** A literal `[e1]` in a log isn't one of our citations. */
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
