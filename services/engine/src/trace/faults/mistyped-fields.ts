import type { CodeSignalArgs } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import { isLiteral, lastName, plain, textOf } from "../code/expressions.ts";
import { type CodeNode, part } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { copiedValues } from "../frames/copied-values.ts";
import { fillersOf } from "./field-fillers.ts";

type Was = CodeSignalArgs["mistyped-field"]["was"];

/** What the values of a type look like in what a client copies; others are of another type. */
const copied: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["Decimal", (value) => typeof value === "string"],
  ["datetime", (value) => typeof value === "string"],
  ["date", (value) => typeof value === "string"],
  ["timedelta", (value) => typeof value === "string"],
  ["UUID", (value) => typeof value === "string"],
  ["str", (value) => typeof value === "string"],
  ["int", (value) => !isNumberInText(value) && !isCollection(value)],
  ["float", (value) => !isNumberInText(value) && !isCollection(value)],
]);

/**
 * Notes the only code that fills a field whose value, as the client copied it, is of another type than its class
 * declares, if the trail goes through that field.
 */
export function findMistypedFields({ codebase, frames }: Failure, trail: Trail): void {
  const read = new Set(trail.signals().flatMap((signal) => (signal.kind === "value-step" ? [signal.args.name] : [])));
  const seen = new Set<string>();
  for (const { className, name: field, value } of frames.flatMap(({ frame }) => copiedValues(frame.variables))) {
    const was = wasOf(value);
    if (className === null || !read.has(field) || was === null || seen.has(`${className}.${field}`)) continue;
    seen.add(`${className}.${field}`);
    const declared = declaredType(codebase, className, field);
    if (declared === null || copied.get(declared)?.(value) !== false) continue;
    const fillers = fillersOf(codebase, field, className).filter(({ node }) => !isOfType(node, declared));
    const [only, ...others] = fillers;
    if (!only || others.length > 0) continue;
    const args = { field: `${className}.${field}`, declared, was, code: textOf(only.node, only.program.source) };
    trail.add({ kind: "mistyped-field", args }, placeAt(only.program, only.node), trail.first);
  }
}

/** Returns the type that the only class of a name declares for a field; null where it may be one of several. */
function declaredType(codebase: Codebase, className: string, field: string): string | null {
  const classes = codebase
    .own()
    .flatMap((program) => program.classes.filter(({ name }) => name === className).map((node) => ({ program, node })));
  const [only, ...others] = classes;
  if (!only || others.length > 0) return null;
  const declared = part(only.node, "body")?.children.find((one) => part(one, "target")?.name === field);
  return declared ? writtenType(only.program, declared) : null;
}

/** Returns the type of `name: type` or `name: type = value`, if it is only one. */
function writtenType({ source }: Program, declared: CodeNode): string | null {
  const text = source.text.slice(declared.start, declared.end);
  return /^\w+\s*:\s*["']?(?:\w+\.)*(\w+)["']?\s*(?:=|$)/.exec(text)?.[1] ?? null;
}

function wasOf(value: unknown): Was | null {
  switch (typeof value) {
    case "number":
      return "a number";
    case "string":
      return "a text";
    case "boolean":
      return "a boolean";
    case "object":
      return value === null ? null : Array.isArray(value) ? "a list" : "an object";
    default:
      return null;
  }
}

/** Returns whether a value is a text with a number; other texts stand for values that aren't copied. */
function isNumberInText(value: unknown): boolean {
  return typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) && value.length <= digitsMax;
}

/** An integer with more digits is copied as a text. */
const digitsMax = 15;

function isCollection(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Returns whether an expression is made of a type where it is written: `Decimal(text)`, `"text"`. */
function isOfType(node: CodeNode, declared: string): boolean {
  const value = plain(node);
  return isLiteral(value) || (value.kind === "call" && lastName(value) === declared);
}
