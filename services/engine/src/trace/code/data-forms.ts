/** The forms of a value in a data file, in words. */
export const dataForms = ["a string", "a number", "a boolean", "a list", "an object"] as const;
export type DataForm = (typeof dataForms)[number];

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
