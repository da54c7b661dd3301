import { isNothing, plain } from "../code/expressions.ts";
import { type CodeNode, is } from "../code/ir.ts";
import { isMasked, isReadable, type TextForm } from "../code/text-forms.ts";

/** What the error says about the followed value, which rules out some of its origins. */
export interface Wanted {
  /** `value` is any value that is present and wrong; `short` is a list whose length is wrong. */
  readonly was: "nothing" | "falsy" | "zero" | "value" | "short";
  /** Its type, in the words of the language; null when unknown. */
  readonly type: "number" | "string" | "bigint" | "symbol" | "date" | "object" | null;
  /** What the error shows of it; empty when it shows nothing. */
  readonly texts: readonly string[];
  /** The form that it couldn't be read in, which rules out a text that is valid; null when nothing read it. */
  readonly unreadableAs: TextForm | null;
  /** The texts that it wasn't: as the key that a table lacked, it is none of those that the table has. */
  readonly except?: readonly string[];
}

export const nothing: Wanted = { was: "nothing", type: null, texts: [], unreadableAs: null };
export const falsy: Wanted = { was: "falsy", type: null, texts: [], unreadableAs: null };
export const zero: Wanted = { was: "zero", type: null, texts: [], unreadableAs: null };
export const short: Wanted = { was: "short", type: null, texts: [], unreadableAs: null };
export const anything: Wanted = { was: "value", type: null, texts: [], unreadableAs: null };

/** Returns a missing value as the error spells it: `undefined` or `null`, where a language has both. */
export function nothingAs(spelled: string): Wanted {
  return { ...nothing, texts: [spelled] };
}

const nothings: ReadonlySet<string | null> = new Set(["undefined", "null"]);

/** Returns whether the value may have been `undefined` or `null`, as far as the error tells them apart. */
export function isSpelled({ texts }: Wanted, name: string | null): boolean {
  return name === null || !nothings.has(name) || texts.includes(name) || !texts.some((text) => nothings.has(text));
}

/** Returns whether the value was missing: an origin that always creates one isn't meant. */
export function isMissing({ was }: Wanted): boolean {
  return was === "nothing" || was === "falsy";
}

const textUnitsMin = 3;

/** Returns whether a literal, or a value that is always created, can be the failing one. */
export function canBe(value: CodeNode, { was, type, texts, unreadableAs, except }: Wanted): boolean {
  const node = plain(value);
  if (was === "nothing") return isNothing(node);
  if (was === "zero") return node.kind === "number" && Number(node.name) === 0;
  if (was === "falsy") return isNothing(node) || ["false", "False", "0", ""].includes(node.name ?? "?");
  if (node.kind === "string" && isMasked(node.name ?? "")) return false;
  if ((node.kind === "string" || node.kind === "number") && except?.includes(node.name ?? "")) return false;
  const made = typeOf(node);
  if (type !== null && made !== null && made !== type) return false;
  if (unreadableAs !== null && node.kind === "string" && isReadable(node.name ?? "", unreadableAs)) return false;
  if (texts.length === 0 || node.kind !== "string" || (node.name ?? "").length < textUnitsMin) return true;
  return texts.some((text) => text.includes(node.name ?? "") || (node.name ?? "").includes(text));
}

/** Derives what is known about a call's argument from what is known about its result. */
export function argumentOf(call: CodeNode, wanted: Wanted): Wanted {
  const isDate = call.name === "Date" && is(call, "new") && wanted.type === "date";
  const isAlone = call.children.filter(({ role }) => role === "argument").length === 1;
  if (isDate) return { ...wanted, type: null, unreadableAs: isAlone ? "date" : null };
  // The text that it was made from is a different one.
  return { ...wanted, unreadableAs: null, except: [] };
}

/** Returns the type that an expression always has; null when that depends. */
function typeOf(node: CodeNode): string | null {
  switch (node.kind) {
    case "string":
    case "template":
      return "string";
    case "number":
    case "boolean":
    case "nothing":
      return node.kind;
    case "object":
    case "list":
      return "object";
    case "call":
      return is(node, "new") ? (node.name === "Date" ? "date" : "object") : (converted.get(node.name ?? "") ?? null);
    default:
      return null;
  }
}

const converted: ReadonlyMap<string, string> = new Map([
  ["Number", "number"],
  ["parseInt", "number"],
  ["parseFloat", "number"],
  ["String", "string"],
  ["BigInt", "bigint"],
  ["Symbol", "symbol"],
  ["Boolean", "boolean"],
  ["toFixed", "string"],
  ["toISOString", "string"],
  ["stringify", "string"],
  ["toUpperCase", "string"],
  ["toLowerCase", "string"],
  ["getTime", "number"],
  ["now", "number"],
]);
