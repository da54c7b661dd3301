import type { ParsedException, Scalar } from "../findings.ts";
import type { Readable } from "./match-template.ts";
import { codesInText, codesOf, isDistinct, type SpokenCodes } from "./spoken-codes.ts";
import { foldCase } from "./template.ts";

/** Messages and lines are read up to here: what tells stands at the beginning. */
const messageUnitsMax = 4_000;
const lineUnitsMax = 1_000;
const framesMax = 50;
const propertyUnitsMax = 200;

/** What signatures are compared with: an error, or a line of a text without one. */
export interface Subject {
  /** Index of the exception; null for a line. */
  readonly exception: number | null;
  /** Names the error goes by: in full, and without its package. */
  readonly types: ReadonlySet<string>;
  readonly codes: SpokenCodes;
  readonly message: Readable;
  /** Own properties, functions on the stack, where it was thrown and whether it ended the process, each on a line. */
  readonly beside: Readable;
}

/** An error to compare with signatures. */
export function subjectOf(exception: ParsedException, index: number): Subject {
  const types = new Set([...namesOf(exception.type), ...namesOf(leadingType(exception.message))]);
  return {
    exception: index,
    types,
    codes: new Map([...[...types].map((type) => [type, type] as const), ...codesOf(exception, messageUnitsMax)]),
    message: readable(exception.message, messageUnitsMax),
    beside: readable(besideOf(exception), messageUnitsMax),
  };
}

/** A line to compare with signatures: any word of it may name an error. */
export function subjectOfLine(line: string): Subject {
  const message = readable(line, lineUnitsMax);
  const words = message.text.match(/[A-Za-z][\w.\\:$]{3,100}/g) ?? [];
  return {
    exception: null,
    types: new Set(words.flatMap(namesOf).filter(isDistinct)),
    codes: codesInText(message.text),
    message,
    beside: { text: "", folded: "" },
  };
}

/** Runs of blanks count as one. */
function readable(whole: string, unitsMax: number): Readable {
  const text = whole.slice(0, unitsMax).replace(/[ \t]+/g, " ");
  return { text, folded: foldCase(text) };
}

/** A type as printed, and without package, namespace or outer class. */
function namesOf(type: string): string[] {
  const plain = type.replace(/[:.]+$/, "");
  const short = plain.split(/[.\\$:]+/).at(-1) ?? "";
  return plain === "" ? [] : [plain, short];
}

/** Some loggers put the type into the message. */
function leadingType(message: string): string {
  return /^[\w.\\$]{1,100}(?:Error|Exception|Violation)\b/.exec(message)?.[0] ?? "";
}

function besideOf({ properties, frames, throwSite, fatal }: ParsedException): string {
  return [
    ...(fatal ? ["ended the process"] : []),
    ...(throwSite ? [`thrown in ${throwSite.file}`] : []),
    ...Object.entries(properties).map(([name, value]) => `${name}: ${spellScalar(value)}`),
    ...frames.slice(0, framesMax).flatMap(({ function: name }) => (name === null ? [] : [`at ${name}`])),
  ].join("\n");
}

function spellScalar(value: Scalar): string {
  return String(value).slice(0, propertyUnitsMax).replaceAll("\n", " ");
}
