import type { LocatedFrame, ParsedException } from "../findings.ts";
import { inlineCode } from "../prose.ts";
import { argumentsOf, type Range, startOfChain } from "./javascript/expressions.ts";
import { type Structure, tokensOfLine } from "./javascript/structure.ts";
import type { SourceFiles } from "./source-files.ts";
import type { Subject } from "./trace.ts";

/** What is wrong at the place where an error was thrown, and what of it can be followed. */
export interface Suspicion {
  /** The operand that had no value, the thing that was called, the argument that was refused. */
  readonly subjects: readonly Subject[];
  /** One sentence about the throw site. */
  readonly says: string;
  readonly kind: "nullish-operand" | "thrown-by-code" | "throw-site";
}

/**
 * What the message of an error says about the expression at a frame: which operand was nullish, what was called, whose
 * arguments were refused.
 */
export function suspect(error: ParsedException, located: LocatedFrame, files: SourceFiles): Suspicion | null {
  const structure = located.place && files.structure(located.place.source);
  const line = structure && tokensOfLine(structure, located.place.line);
  if (!structure || !line || !located.place) return null;
  const column = located.frame.column;
  const position =
    column === null ? null : located.place.source.lines(located.place.line, located.place.line).start + column - 1;
  const site: Site = { structure, line, position, frame: located };
  if (located.index > 0) return refusedArguments(site, isMissing(error));
  return (
    nullishRead(error.message, site) ??
    namedOperand(error.message, site) ??
    thrown(site) ??
    assigned(error.message, site) ??
    refusedArguments(site, isMissing(error))
  );
}

/** Whether the message says that the value which was refused is none. */
function isMissing({ message, properties }: ParsedException): boolean {
  return properties.input === "undefined" || /\b(?:Received (?:undefined|null)|undefined or null)\b/.test(message);
}

/** What is followed is the value itself. */
const whole = { path: [], isNullish: false, via: null };

interface Site {
  readonly structure: Structure;
  readonly line: Range;
  /** Of the column in the text. */
  readonly position: number | null;
  readonly frame: LocatedFrame;
}

const reading =
  /^Cannot (?:read|set) propert(?:y|ies) (?:'([^']{1,200})' )?of (undefined|null)(?: \((?:reading|setting) '([^']{1,200})'\))?/;

/** `Cannot read properties of undefined (reading 'x')`: what stands before `.x`. */
function nullishRead(message: string, site: Site): Suspicion | null {
  const match = reading.exec(message);
  const property = match?.[3] ?? match?.[1];
  if (!match || property === undefined) return null;
  const { structure } = site;
  const end = accessOf(site, property);
  if (end === null) return null;
  const range = { start: startOfChain(structure, end), end };
  const text = written(structure, range);
  return {
    kind: "nullish-operand",
    subjects: [{ structure, range, frame: site.frame, ...whole, isNullish: true }],
    says: `${inlineCode(text)} was ${match[2]} when ${inlineCode(`.${property}`)} was read`,
  };
}

/** The token after the operand whose property is read: at the column, else the first such access on the line. */
function accessOf({ structure, line, position }: Site, property: string): number | null {
  const { tokens } = structure;
  const accesses: { end: number; at: number }[] = [];
  for (let index = line.start; index < Math.min(line.end + 40, tokens.length); index++) {
    const before = tokens[index - 1]?.text;
    const isNamed = tokens[index]?.text === property && (before === "." || before === "?.");
    const isIndex = tokens[index]?.text === "[" && index > line.start && tokens[index - 1]?.kind !== "punctuation";
    if (isNamed) accesses.push({ end: index - 1, at: tokens[index]?.start ?? 0 });
    else if (isIndex && index < line.end) accesses.push({ end: index, at: tokens[index]?.start ?? 0 });
  }
  const named = accesses.filter(({ end }) => tokens[end]?.text !== "[");
  const pool = named.length > 0 ? named : accesses;
  const nearest = pool.find(({ at }) => position !== null && at >= position) ?? pool[0];
  return nearest?.end ?? null;
}

const operandPatterns: readonly (readonly [pattern: RegExp, says: (name: string) => string])[] = [
  [
    /^(?:\(intermediate value\)\.)?(.{1,200}?) is not a function/,
    (name) => `${inlineCode(name)} was called and is no function`,
  ],
  [/^(.{1,200}?) is not a constructor/, (name) => `${inlineCode(name)} was constructed and is no constructor`],
  [/^(.{1,200}?) is not iterable/, (name) => `${inlineCode(name)} was iterated over and is not iterable`],
  [/^(.{1,200}?) is not defined/, (name) => `${inlineCode(name)} is used and not defined`],
  [
    /^Cannot access '(.{1,200}?)' before initialization/,
    (name) => `${inlineCode(name)} is used before its declaration has run`,
  ],
  [
    /^Cannot destructure property '.{1,200}?' of '(.{1,200}?)' as it is/,
    (name) => `${inlineCode(name)} had no value when it was taken apart`,
  ],
];

/** Messages that name the operand as it is written. */
function namedOperand(message: string, site: Site): Suspicion | null {
  for (const [pattern, says] of operandPatterns) {
    const name = pattern.exec(message)?.[1];
    if (name === undefined) continue;
    const range = findWritten(site, name);
    const isUndeclared = message.includes("is not defined") || message.includes("before initialization");
    const subjects = range && !isUndeclared ? [{ structure: site.structure, range, frame: site.frame, ...whole }] : [];
    return { kind: "nullish-operand", subjects, says: says(name) };
  }
  return null;
}

/** The tokens on the line that spell a name such as `parser.fn`; the last word of it when it is printed shortened. */
function findWritten({ structure, line, position }: Site, name: string): Range | null {
  const last = /[\w$#]+$/.exec(name)?.[0];
  const ends: number[] = [];
  for (let index = line.start; index < line.end; index++)
    if (structure.tokens[index]?.text === last) ends.push(index + 1);
  const end = ends.find((one) => position !== null && (structure.tokens[one - 1]?.start ?? 0) >= position) ?? ends[0];
  return end === undefined ? null : { start: startOfChain(structure, end), end };
}

/** `throw …` on the line: what the condition around it looks at, and what its message shows. */
function thrown({ structure, line, frame }: Site): Suspicion | null {
  const { tokens, partner } = structure;
  const at = tokens.findIndex((token, index) => index >= line.start - 3 && index < line.end && token.text === "throw");
  const rejects = tokens.findIndex(
    (token, index) => index >= line.start && index < line.end && token.text === "reject",
  );
  const found = at >= 0 ? at : rejects;
  if (found < 0) return null;
  const lookBackTokens = 60;
  let guard: Range | null = null;
  for (let index = found; index > Math.max(0, found - lookBackTokens); index--) {
    const close = partner[index + 1] ?? -1;
    if (tokens[index]?.text === "if" && close > index && close < found) {
      guard = { start: index + 2, end: close };
      break;
    }
  }
  const subjects = guard ? chainsIn(structure, guard).map((range) => ({ structure, range, frame, ...whole })) : [];
  const says = guard
    ? `the code throws this itself, when ${inlineCode(written(structure, guard))}`
    : "the code throws this itself";
  return { kind: "thrown-by-code", subjects, says };
}

/** `Cannot assign to read only property`, `Assignment to constant variable`: what is assigned to. */
function assigned(message: string, { structure, line, frame }: Site): Suspicion | null {
  if (!/^(?:Cannot (?:assign to|add|delete|set) (?:read only )?property|Assignment to constant)/.test(message))
    return null;
  for (let index = line.start; index < line.end; index++) {
    if (structure.tokens[index]?.text !== "=") continue;
    const range = { start: startOfChain(structure, index), end: index };
    if (range.start >= range.end) continue;
    // `target[key] = …`: it is `target` that may not be changed.
    const open = structure.partner[index - 1] ?? -1;
    const end = open > range.start ? open : structure.tokens[index - 2]?.text === "." ? index - 2 : index;
    const subject = { structure, range: { start: range.start, end }, frame, ...whole };
    return {
      kind: "nullish-operand",
      subjects: [subject],
      says: `${inlineCode(written(structure, range))} is assigned to and may not be`,
    };
  }
  return null;
}

/** The call at a frame threw, or called what threw: its arguments, and what it was called on. */
function refusedArguments({ structure, line, position, frame }: Site, isNullish: boolean): Suspicion | null {
  const { tokens } = structure;
  const opens: number[] = [];
  for (let index = line.start; index <= line.end; index++) {
    if (tokens[index]?.text === "(" && tokens[index - 1]?.kind === "word") opens.push(index);
  }
  const open =
    opens.find((one) => position !== null && (tokens[one - 1]?.start ?? 0) >= position) ??
    atNew(tokens, opens, position) ??
    opens[0];
  if (open === undefined) return null;
  const start = startOfChain(structure, open);
  const callee = { start, end: open };
  const receiver = { start, end: open - 2 };
  const subjects = [...argumentsOf(structure, open), ...(receiver.end > receiver.start ? [receiver] : [])];
  return {
    kind: "throw-site",
    subjects: subjects.map((range) => ({ structure, range, frame, ...whole, isNullish })),
    says: `it happened inside the call of ${inlineCode(written(structure, callee))}`,
  };
}

/** For `new X(…)` the column is that of `new`. */
function atNew(tokens: Structure["tokens"], opens: readonly number[], position: number | null): number | undefined {
  return opens.find((open) => position !== null && (tokens[open - 2]?.start ?? -1) === position);
}

/** Every name, member and call of an expression, without what is nested in another. */
function chainsIn(structure: Structure, { start, end }: Range): Range[] {
  const found: Range[] = [];
  for (let index = end; index > start; ) {
    const from = startOfChain(structure, index);
    if (from < index && from >= start && structure.tokens[from]?.kind === "word")
      found.push({ start: from, end: index });
    index = from < index ? from : index - 1;
  }
  return found;
}

function written(structure: Structure, { start, end }: Range): string {
  const from = structure.tokens[start]?.start ?? 0;
  const to = structure.tokens[end - 1]?.end ?? from;
  const expressionUnitsMax = 120;
  return structure.source.text.slice(from, Math.min(to, from + expressionUnitsMax)).replace(/\s+/g, " ");
}
