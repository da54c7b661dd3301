import type { ValueSource } from "../../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import type { SourceText } from "../../source/source-text.ts";
import { type DataForm, type JsonValue, jsonValuesAt } from "../code/data-forms.ts";
import { anyKey } from "../code/program.ts";
import type { FollowedValue, Following } from "./following.ts";

/** A method of the language's own types that the failing code called on a value without it. */
interface CalledMethod {
  readonly method: string;
  /** The forms of data that have it. */
  readonly needed: readonly DataForm[];
}

/** Returns the method that a path ends with; null where its last name is read rather than called, or isn't known. */
export function calledMethod({ from, program }: FollowedValue, path: readonly string[]): CalledMethod | null {
  const method = path.at(-1);
  if (method === undefined || !isCalled(from, method)) return null;
  const needed = formsWith(program.dialect.dataMethods, method);
  return needed.length > 0 ? { method, needed } : null;
}

/** Returns whether a name is what the failing code called, and what wasn't a function: no data can have it. */
export function isCalled(from: AnyCodeSignal, name: string): boolean {
  const site = siteOf(from);
  if (site.kind !== "bad-value") return false;
  const { use, was, path: read, expression } = site.args;
  const called = read?.at(-1) ?? /\.\s*([\w$]+)$/.exec(expression)?.[1];
  return use === "call" && was === "not a function" && called === name;
}

function siteOf(from: AnyCodeSignal): AnyCodeSignal {
  let at = from;
  while (at.towards) at = at.towards;
  return at;
}

/**
 * Notes where the value that the trail read has a form without the method that was called on it. Returns false where
 * that isn't known.
 */
export function noteMisformed(
  { trail }: Following,
  followed: FollowedValue,
  files: readonly SourceText[],
  path: readonly string[],
  { method, needed }: CalledMethod,
): boolean {
  const { from } = followed;
  if (!isHandedOn(from)) return false;
  const holding = files
    .map((source) => ({ source, values: valuesIn(source, path.slice(0, -1)) }))
    .filter(({ values }) => values.length > 0);
  const [first] = holding;
  if (!first || holding.length > 1) return false;
  const { source, values } = first;
  const odd = values.find(({ form }) => form !== null && !needed.includes(form));
  if (!odd?.form || valuesIn(source, path).length > 0) return false;
  const line = source.lineAt(odd.at);
  const args = {
    how: "missing-key" as const,
    name: odd.name ?? "",
    code: source.line(line).trim().slice(0, lineUnitsMax),
    misformed: { is: odd.form, needs: needed.join(" or "), method },
  };
  trail.add({ kind: "value-step", args }, { kind: "place", file: source.name, line, function: null, source }, from);
  return true;
}

const lineUnitsMax = 120;

function formsWith(methods: ReadonlyMap<DataForm, ReadonlySet<string>>, method: string): DataForm[] {
  return [...methods].flatMap(([form, names]) => (names.has(method) ? [form] : []));
}

/** Returns whether a data file may have a value under a path; true for one that isn't JSON. */
export function mayHold(source: SourceText, path: readonly string[]): boolean {
  return !source.name.endsWith(".json") || valuesIn(source, path).length > 0;
}

/** Returns the values under a path of a JSON file; a module may export all of it as `default`. */
function valuesIn({ name, text }: SourceText, path: readonly string[]): JsonValue[] {
  if (!name.endsWith(".json")) return [];
  const [first, ...rest] = path;
  const values = jsonValuesAt(text, path, anyKey);
  return values.length > 0 || first !== "default" ? values : jsonValuesAt(text, rest, anyKey);
}

/** Returns whether a value came from the data to where it was used unchanged, so its path there is known. */
function isHandedOn(from: AnyCodeSignal): boolean {
  let inner: AnyCodeSignal | null = null;
  for (let at: AnyCodeSignal | null = from; at !== null; at = at.towards) {
    if (at.kind === "value-step" && !unchanged.has(at.args.how)) {
      const isEntered = inner?.kind === "value-step" && inner.args.how === "return";
      // Of what a call makes from its arguments, only code that was followed tells the form.
      if (!called.has(at.args.how) || !isEntered) return false;
    }
    inner = at;
  }
  return true;
}

const called: ReadonlySet<ValueSource> = new Set<ValueSource>(["call", "awaited-call"]);
const unchanged: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...(["parameter", "argument", "assignment", "import", "iteration", "lookup", "return", "property"] as const),
  ...(["parsed-text", "data"] as const),
]);
