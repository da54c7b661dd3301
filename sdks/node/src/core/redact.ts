import { isRedactedName, redactedValue } from "@whence/protocol/redaction";
import { errorFieldsOf, type IsErrorField } from "./error-fields.ts";

/** Header values as Node's `http` gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a value was replaced, as the redaction log names it. */
export type RedactionRule = "default-name" | "added-name";

/** Which values of a record are replaced, by the names of their fields. */
export interface FieldRules {
  /** The rule that replaces the value of a field of this name; undefined when it is kept. */
  ruleOf(name: string): RedactionRule | undefined;
  /** The rules inside the field of this name. */
  within(name: string): FieldRules;
}

/** The rules of one program: the specification's names (Events, rule 5), and those that the program added. */
export interface Redaction {
  /** For headers and for errors' own properties: the specification's names and the added ones. */
  readonly named: FieldRules;
  /** For data that the program gives: the added names; inside a field called `…headers`, the rules of headers. */
  readonly data: FieldRules;
  /** Adds names, for what is recorded from now on. */
  add(names: readonly string[]): void;
  /** Which of an error's own properties are reported at all. */
  readonly isErrorField: IsErrorField;
}

/**
 * The rules with these names added, and with the added names of errors' own properties. A name matches when it is
 * exactly the same, ignoring case.
 */
export function redactionOf(added: readonly string[] = [], errorFields: readonly string[] = []): Redaction {
  const names = new Set<string>();
  const add = (more: readonly string[]): void => {
    for (const name of more) names.add(name.toLowerCase());
  };
  add(added);
  const addedRule = (name: string): RedactionRule | undefined =>
    names.size > 0 && names.has(name.toLowerCase()) ? "added-name" : undefined;
  const named: FieldRules = {
    ruleOf: (name) => (isRedactedName(name) ? "default-name" : addedRule(name)),
    within: () => named,
  };
  const data: FieldRules = {
    ruleOf: addedRule,
    within: (name) => (/headers$/i.test(name) ? named : data),
  };
  return { named, data, add, isErrorField: errorFieldsOf(errorFields) };
}

/** The specification's names alone. */
export const defaultRedaction: Redaction = redactionOf();

/** A copy in which the value of every header with a redacted name is replaced; absent ones are left out. */
export function redactHeaders(
  headers: Headers,
  { named }: Redaction = defaultRedaction,
): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (named.ruleOf(name) !== undefined) result[name] = redactedValue;
    else result[name] = typeof value === "string" ? value : [...value];
  }
  return result;
}
