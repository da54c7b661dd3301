/** The form of a value in a data file, in words. */
export type DataForm = "a string" | "a number" | "a boolean" | "a list" | "an object";

/** Returns the form of the JSON value that a text starts with; null for `null` and for anything else. */
export function dataFormOf(text: string): DataForm | null {
  return forms.find(([start]) => start.test(text))?.[1] ?? null;
}

const forms: readonly (readonly [RegExp, DataForm])[] = [
  [/^\s*"/, "a string"],
  [/^\s*-?\d/, "a number"],
  [/^\s*(?:true|false)\b/, "a boolean"],
  [/^\s*\[/, "a list"],
  [/^\s*\{/, "an object"],
];
