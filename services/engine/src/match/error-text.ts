import type { LocatedFrame } from "../findings/located-frame.ts";
import type { ParsedException, Scalar } from "../findings/parsed-error.ts";
import { printedCode } from "../findings/printed-code.ts";
import { repeatedCall } from "../findings/repeated-call.ts";
import type { Language } from "../source/languages/languages.ts";
import type { Span } from "../source/source-text.ts";
import type { Readable } from "./match-template.ts";
import { codesInText, codesOf, type ErrorCodes, isDistinct } from "./message-codes.ts";
import { quotedTexts, withoutQuotedTexts } from "./quoted-texts.ts";
import { foldCase } from "./template.ts";

/** How much of a message and of a line is compared, in UTF-16 units. */
const messageUnitsMax = 4_000;
const lineUnitsMax = 1_000;
const framesMax = 50;
const propertyUnitsMax = 200;

/** What signatures are compared with: an error, or a line of a text without an error. */
export interface ErrorText {
  /** Index of the exception; null for a line. */
  readonly exception: number | null;
  /** The error's language; null when unknown. */
  readonly language: Language | null;
  /** Names of the error's type, with and without its package. */
  readonly types: ReadonlySet<string>;
  /** The names of its type that the program's own code gave it, so that they name no product. */
  readonly ownTypes: ReadonlySet<string>;
  readonly codes: ErrorCodes;
  readonly message: Readable;
  /** Quoted parts of the message: what they say isn't this error's failure. */
  readonly quoted: readonly Span[];
  /** The error's properties, the functions on its stack, where it was thrown, and whether it ended the process, one per line. */
  readonly beside: Readable;
  /** The line of code that failed: where the error was thrown, and the innermost own one. */
  readonly line: Readable;
  /** The own function that repeats on its stack; null without one. */
  readonly repeated: string | null;
  /** The class whose object emitted it as an `error` event that nothing listened to; null for others. */
  readonly emitter: string | null;
}

/** Returns an error in the form that signatures are compared with. */
export function errorText(exception: ParsedException, index: number, frames: readonly LocatedFrame[]): ErrorText {
  const message = readable(exception.message, messageUnitsMax);
  const types = new Set([...namesOf(exception.type), ...namesOf(leadingType(exception.message))]);
  const isOwn = isDeclaredIn(exception, index, frames);
  const typeCodes = [...types].flatMap((type) => (isOwn ? [] : [[type, type] as const]));
  return {
    exception: index,
    language: exception.language,
    types,
    ownTypes: isOwn ? types : new Set(),
    codes: new Map([...typeCodes, ...codesOf(exception, messageUnitsMax)]),
    message,
    quoted: quotedTexts(message.text),
    beside: readable(besideOf(exception), messageUnitsMax),
    line: readable(failedLines(exception, index, frames).join("\n"), messageUnitsMax),
    repeated: repeatedFunction(exception, index, frames),
    emitter: emitterIn(exception.source.text),
  };
}

/** Returns a line in the form that signatures are compared with: any of its words but `ownTypes` may name an error. */
export function lineText(line: string, ownTypes: ReadonlySet<string> = new Set()): ErrorText {
  const message = readable(line, lineUnitsMax);
  const said = withoutQuotedTexts(message.text);
  const words = said.match(/[A-Za-z][\w.\\:$]{3,100}/g) ?? [];
  return {
    exception: null,
    language: null,
    ownTypes,
    types: new Set(words.flatMap(namesOf).filter(isDistinct)),
    codes: new Map([...codesInText(said)].filter(([code]) => !ownTypes.has(code))),
    message,
    quoted: quotedTexts(message.text),
    beside: { text: "", folded: "" },
    line: { text: "", folded: "" },
    repeated: null,
    emitter: null,
  };
}

/** Collapses runs of spaces and tabs. */
function readable(whole: string, unitsMax: number): Readable {
  const text = whole.slice(0, unitsMax).replace(/[ \t]+/g, " ");
  return { text, folded: foldCase(text) };
}

/** A type as printed, and without its package, namespace, or outer class. */
function namesOf(type: string): string[] {
  const plain = type.replace(/[:.]+$/, "");
  const short = plain.split(/[.\\$:]+/).at(-1) ?? "";
  return plain === "" ? [] : [plain, short];
}

/** The type at the start of a message, where some loggers put it. */
function leadingType(message: string): string {
  return /^[\w.\\$]{1,100}(?:Error|Exception|Violation)\b/.exec(message)?.[0] ?? "";
}

/**
 * Returns whether the code on the stack declares the error's class, or its package is a module there: a product's error
 * has the same name by chance.
 */
function isDeclaredIn(
  { type, frames: printed }: ParsedException,
  index: number,
  frames: readonly LocatedFrame[],
): boolean {
  const [module, name] = [type.split(".").slice(0, -1), type.split(".").at(-1) ?? ""];
  if (name === "") return false;
  const file = `/${module.join("/")}.py`;
  if (module.length > 1 && printed.slice(0, framesMax).some((one) => one.origin === "app" && one.file?.endsWith(file)))
    return true;
  const sources = frames
    .filter((one) => one.exception === index && one.frame.origin === "app")
    .slice(0, framesMax)
    .flatMap(({ place }) => place?.source.text ?? []);
  return [...new Set(sources)].some((text) => declares(text, name));
}

function declares(text: string, name: string): boolean {
  const declaration = `class ${name}`;
  const at = text.indexOf(declaration);
  return at >= 0 && !/[\w$]/.test(text[at + declaration.length] ?? "");
}

function besideOf({ properties, frames, throwSite, fatal }: ParsedException): string {
  return [
    ...(fatal ? ["ended the process"] : []),
    ...(throwSite ? [`thrown in ${throwSite.file}`] : []),
    ...Object.entries(properties).map(([name, value]) => `${name}: ${spellScalar(value)}`),
    ...frames.slice(0, framesMax).flatMap(({ function: name }) => (name === null ? [] : [`at ${name}`])),
  ].join("\n");
}

/** What was printed counts; without it, what the given source has there. */
function failedLines(exception: ParsedException, index: number, frames: readonly LocatedFrame[]): string[] {
  const own = exception.frames.find(({ origin }) => origin === "app");
  const wanted = new Set([exception.frames[0], own]);
  return [...wanted].flatMap((frame) => {
    if (!frame) return [];
    const place = frames.find((one) => one.exception === index && one.frame === frame)?.place;
    return printedCode(frame, exception) ?? place?.source.line(place.line) ?? [];
  });
}

function repeatedFunction(exception: ParsedException, index: number, frames: readonly LocatedFrame[]): string | null {
  const located = frames
    .filter((one) => one.exception === index)
    .map(({ frame, file, place }) => ({ ...frame, file, function: place?.function ?? frame.function }));
  return repeatedCall(located.length > 0 ? located : exception.frames)?.function ?? null;
}

/** How Node.js prints what emitted an error that ends the process. */
const emittedOn = "Emitted 'error' event on ";

function emitterIn(text: string): string | null {
  const at = text.indexOf(emittedOn);
  if (at < 0) return null;
  return /^[\w$]{1,100}(?= instance\b)/.exec(text.slice(at + emittedOn.length, at + lineUnitsMax))?.[0] ?? null;
}

function spellScalar(value: Scalar): string {
  return String(value).slice(0, propertyUnitsMax).replaceAll("\n", " ");
}
