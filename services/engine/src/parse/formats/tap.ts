import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";
import { parseFrame } from "./node-frame.ts";

/** `not ok 2 - adds tax`. */
const failed = /^( {0,80})not ok(?: \d{1,9})?(?: -)? (\S.{0,400})$/;
const field = /^([\w.-]{1,40}):(?: (.*))?$/;
/** A group fails because its tests did. */
const ofGroup = "subtestsFailed";
const linesMax = 500;

/** A value of a block of YAML, with the index of its first line. */
interface Value {
  readonly lines: readonly string[];
  readonly at: number;
}

/** Failed tests in the Test Anything Protocol, with what node:test, tape, and tap print below them. */
export const tapFormat: TextFormat = {
  name: "TAP",
  language: "javascript",
  read: (stretch) =>
    failuresBelow(stretch, failed, (index, [indent = "", test = ""]) => failureAt(stretch, index, indent, test)),
};

function failureAt(stretch: Stretch, first: number, indent: string, test: string): Draft | null {
  if (stretch.text(first + 1).trim() !== "---") return null;
  const last = endOf(stretch, first + 2);
  const fields = fieldsIn(stretch, first + 2, last, indent);
  const textOf = (name: string): string => (fields.get(name)?.lines ?? []).join("\n");
  if (textOf("failureType") === ofGroup) return null;
  const said = [textOf("error"), textOf("message"), test].find((text) => text.trim() !== "") ?? test;
  const name = textOf("name");
  const stack = framesIn(stretch, fields.get("stack"));
  const frames = stack.length > 0 ? stack : framesIn(stretch, fields.get("at"));
  const expected = ["expected", "actual"].flatMap((key) => (fields.has(key) ? [`${key}: ${textOf(key)}`] : []));
  const lines = [`${name === "" ? "" : `${name}: `}${said.trim()}`, ...(said.includes("\n") ? [] : expected)];
  return readFailedTest(stretch, { test, said: lines, frames, first, last, language: "javascript" });
}

function endOf(stretch: Stretch, from: number): number {
  for (let index = from; index < from + linesMax && index < stretch.length; index++)
    if (stretch.text(index).trim() === "...") return index;
  return from;
}

function fieldsIn(stretch: Stretch, from: number, to: number, indent: string): Map<string, Value> {
  const fields = new Map<string, Value>();
  let inner: string | null = null;
  let last: string[] = [];
  for (let index = from; index < to; index++) {
    const text = stretch.text(index);
    inner ??= `${indent}${/^\s*/.exec(text.slice(indent.length))?.[0] ?? ""}`;
    const found = field.exec(text.slice(inner.length));
    if (found && text.startsWith(inner)) {
      const [, name = "", value = ""] = found;
      const isBlock = /^[|>][-+]?$/.test(value);
      last = isBlock || value === "" ? [] : [unquoted(value)];
      fields.set(name, { lines: last, at: last.length === 0 ? index + 1 : index });
    } else last.push(text.slice(inner.length + 2));
  }
  return fields;
}

function unquoted(value: string): string {
  return /^(['"]).*\1$/.test(value) ? value.slice(1, -1) : value;
}

function framesIn(stretch: Stretch, value: Value | undefined): ParsedFrame[] {
  return (value?.lines ?? []).flatMap((line, index) => {
    const call = line.trim();
    return parseFrame(call.startsWith("at ") ? call : `at ${call}`, stretch.span((value?.at ?? 0) + index)) ?? [];
  });
}
