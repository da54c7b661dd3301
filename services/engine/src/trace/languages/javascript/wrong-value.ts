import ts from "typescript";
import type { ParsedException } from "../../../findings.ts";
import { isLiteral, isNullish } from "./expressions.ts";
import { lastName } from "./program.ts";

/** What is known of a wrong value from the words of its error: whatever was never that is not where it was made. */
export interface WrongValue {
  readonly type: "number" | "string" | "bigint" | "symbol" | "date" | "object" | null;
  /** Whether it is somewhere inside of the value that was refused. */
  readonly isInside: boolean;
  /** A character that it has to have; null when any text can be it. */
  readonly character: RegExp | null;
  /** What the error shows of it; empty when it shows nothing. */
  readonly texts: readonly string[];
}

const typeWords: readonly (readonly [RegExp, NonNullable<WrongValue["type"]>])[] = [
  [/^Do not know how to serialize a BigInt/, "bigint"],
  [/^The number \S{1,40} cannot be converted|\bReceived type number\b|^toFixed\(\)|^Invalid array length/, "number"],
  [/^Cannot convert a Symbol value/, "symbol"],
  [/\bof string '|\bReceived type string\b|^Invalid URL|^Invalid regular expression|is not valid JSON/, "string"],
  [/^Invalid (?:time value|date)\b/i, "date"],
  [/^Invalid character in header|Latin1 range|ByteString/, "string"],
  [/^Cannot convert object to primitive|\bReceived an instance of\b|^Converting circular/, "object"],
];
/** Properties of an error of the runtime that hold the value it was given. */
const valueProperties = ["path", "dest", "input", "hostname"] as const;
const textUnitsMin = 3;
const shownValue =
  /^The number (\S{1,40}) cannot|of string '([^']{1,200})'|^(?:Invalid|Unknown|Unsupported|Incorrect)[\w ]{1,40}: (\S{2,60})$/;

/** What the message and the properties of an error tell of the value; null when they tell nothing. */
export function wrongValueOf({ message, properties }: ParsedException): WrongValue | null {
  const type = typeWords.find(([pattern]) => pattern.test(message))?.[1] ?? null;
  const texts = valueProperties.flatMap((name) => {
    const value = properties[name];
    return typeof value === "string" ? [value] : [];
  });
  const shown = shownValue.exec(message);
  const all = [...texts, ...(shown ? [shown[1] ?? shown[2] ?? shown[3] ?? ""] : [])].filter((text) => text !== "");
  const isInside = /^Do not know how to serialize|^Converting circular/.test(message);
  const character = /^Invalid character in header|Latin1 range|ByteString/.test(message) ? beyondBytes : null;
  return type === null && all.length === 0 ? null : { type, isInside, character, texts: all };
}

/** Neither printable nor in Latin-1. */
const beyondBytes = /[^\t\u0020-\u007e\u0080-\u00ff]/;

/** Whether an expression can have had the value: only what it is written as, or always makes, is held against it. */
export function canBe(node: ts.Expression, { type, isInside, character, texts }: WrongValue): boolean {
  const made = typeOf(node);
  if (character && ts.isStringLiteralLike(node) && !character.test(node.text)) return false;
  if (isInside && made === "object") return true;
  if (type !== null && made !== null && made !== type) return false;
  if (texts.length === 0 || !ts.isStringLiteralLike(node) || node.text.length < textUnitsMin) return true;
  return texts.some((text) => text.includes(node.text) || node.text.includes(text));
}

/** Whether nothing but the conversion itself makes such a value: what it was given is none. */
export function isMadeOnlyHere({ type }: WrongValue): boolean {
  return type === "bigint" || type === "symbol";
}

/** Whether an expression always makes a value of the type that was wrong. */
export function surelyIs(node: ts.Expression, { type }: WrongValue): boolean {
  return type !== null && typeOf(node) === type && !isLiteral(node);
}

/** The type that an expression always has; null when that depends. */
function typeOf(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return "string";
  if (ts.isNumericLiteral(node) || (ts.isPrefixUnaryExpression(node) && isLiteral(node))) return "number";
  if (ts.isBigIntLiteral(node)) return "bigint";
  if (isNullish(node)) return "nothing";
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return "boolean";
  if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) return "object";
  if (ts.isNewExpression(node)) return node.expression.getText() === "Date" ? "date" : "object";
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) return converted.get(node.expression.text) ?? null;
  if (ts.isCallExpression(node)) return methods.get(lastName(node.expression) ?? "") ?? null;
  return ts.isTypeOfExpression(node) ? "string" : null;
}

const converted: ReadonlyMap<string, string> = new Map([
  ["Number", "number"],
  ["parseInt", "number"],
  ["parseFloat", "number"],
  ["String", "string"],
  ["BigInt", "bigint"],
  ["Symbol", "symbol"],
  ["Boolean", "boolean"],
]);
/** Methods that only one type has, and what they give. */
const methods: ReadonlyMap<string, string> = new Map([
  ["toFixed", "string"],
  ["toISOString", "string"],
  ["stringify", "string"],
  ["toUpperCase", "string"],
  ["toLowerCase", "string"],
  ["getTime", "number"],
  ["getMonth", "number"],
  ["now", "number"],
]);
