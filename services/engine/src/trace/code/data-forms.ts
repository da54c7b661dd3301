/** The form of a value in a data file, in words. */
export type DataForm = "a string" | "a number" | "a boolean" | "a list" | "an object";

/** A value in a JSON text. */
export interface JsonValue {
  /** Null for `null` and for what isn't JSON. */
  readonly form: DataForm | null;
  /** Its key, or `key[index]` for an element of a list; null for the whole text. */
  readonly name: string | null;
  /** The position of its key, or of the value where it has none. */
  readonly at: number;
}

/** A list or an object that has begun. */
interface Open {
  readonly isList: boolean;
  /** Its own key, where it has one. */
  readonly ownKey: string | null;
  /** Whether it is on the path. */
  readonly isOn: boolean;
  index: number;
  key: string | null;
  keyAt: number;
}

/** Matches in one pass: no alternative can fail after its first character. */
const tokens = /"[^"\\]*(?:\\[\s\S]?[^"\\]*)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** Returns the values in a JSON text under a path of keys and indexes, in which `any` stands for each of them. */
export function jsonValuesAt(text: string, path: readonly string[], any: string): JsonValue[] {
  const found: JsonValue[] = [];
  const open: Open[] = [];
  for (const { 0: token, index: at } of text.matchAll(tokens)) {
    const within = open.at(-1);
    if (token === ":") continue;
    if (token === "}" || token === "]") open.pop();
    else if (token === ",") next(within);
    else if (within && !within.isList && within.key === null) {
      within.key = token.replace(/^"|"$/g, "");
      within.keyAt = at;
    } else {
      const key = within && !within.isList ? within.key : null;
      const step = path[open.length - 1];
      const isOn = !within || (within.isOn && (step === any || step === (key ?? String(within.index))));
      if (isOn && open.length === path.length)
        found.push({ form: formOf(token), name: nameIn(within), at: within && key !== null ? within.keyAt : at });
      if (token === "{" || token === "[") {
        const begun = { isList: token === "[", ownKey: key, isOn: isOn && open.length < path.length };
        open.push({ ...begun, index: 0, key: null, keyAt: 0 });
      }
    }
  }
  return found;
}

function nameIn(within: Open | undefined): string | null {
  if (!within) return null;
  return within.isList ? `${within.ownKey ?? ""}[${within.index}]` : within.key;
}

function next(within: Open | undefined): void {
  if (!within) return;
  within.index++;
  within.key = null;
}

function formOf(token: string): DataForm | null {
  return forms.find(([start]) => start.test(token))?.[1] ?? null;
}

const forms: readonly (readonly [RegExp, DataForm])[] = [
  [/^"/, "a string"],
  [/^-?\d/, "a number"],
  [/^(?:true|false)$/, "a boolean"],
  [/^\[/, "a list"],
  [/^\{/, "an object"],
];
