import { isRedactedName, redactedValue } from "@whence/protocol/redaction";
import { isVariable } from "../environment.ts";
import { errorFieldsOf, type IsErrorField } from "./error-fields.ts";

/** Header values as Node's `http` gives them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Why a value was replaced, as in the redaction log. */
export type RedactionRule = "default-name" | "added-name" | "credential-name" | "private-key" | "environment-variable";

/** The replacement for a text in data with a private key, whatever its field is called. */
export const redactedKey = "[redacted private key]";
/** The replacement for the value of a variable of the environment, wherever a copy of it is. */
export const redactedVariable = "[redacted environment variable]";

/** The rules of replacements that don't depend on a field's name alone. */
export const rulesOfValues: ReadonlyMap<unknown, RedactionRule> = new Map([
  [redactedKey, "private-key"],
  [redactedVariable, "environment-variable"],
]);

/**
 * The ends of a variable's name whose value is a credential, as in the runs that the agent watches: `credentialName` of
 * the protocol. Not a regular expression, which would change `RegExp.$1` of a program that is paused.
 */
const credentialEnds: readonly string[] = ["password", "passwd", "passphrase", "pwd", "secret", "token"].concat(
  ["api", "access", "private", "secret"].flatMap((kind) => [`${kind}key`, `${kind}_key`, `${kind}-key`]),
);
/** The prefix of a request's headers among variables (RFC 3875, section 4.1.18). */
const headerPrefix = "http_";

/** Returns a text as it may leave, or what replaces one with a private key. */
export function withoutKey(text: string): string {
  return text.includes("PRIVATE KEY-----") || text.includes("PRIVATE KEY BLOCK-----") ? redactedKey : text;
}

/** Rules that select values of a record to replace, by field name. */
export interface FieldRules {
  /** Returns the rule that replaces the value of this field; undefined when it is kept. */
  ruleOf(name: string): RedactionRule | undefined;
  /** Returns the rules inside this field. */
  within(name: string): FieldRules;
}

/** The redaction rules of one program: the specification's names (Events, rule 5), and those that the program added. */
export interface Redaction {
  /** For headers and for errors' own properties: the specification's names and the added ones. */
  readonly named: FieldRules;
  /** For local variables: these names, and those that end like a credential's. */
  readonly variables: FieldRules;
  /** For data from the program: the added names; inside a field named `…headers`, the rules of headers. */
  readonly data: FieldRules;
  /** Adds names, for everything recorded from now on. */
  add(names: readonly string[]): void;
  /** Which of an error's own properties are reported. */
  readonly isErrorField: IsErrorField;
}

/**
 * Returns the rules with these added names, and with the added names of errors' own properties. Names match exactly,
 * ignoring case.
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
  const variables: FieldRules = {
    ruleOf: (name) => named.ruleOf(name) ?? (isCredentialName(name) ? "credential-name" : undefined),
    within: () => variables,
  };
  const data: FieldRules = {
    ruleOf: addedRule,
    within: (name) => (/headers$/i.test(name) ? named : data),
  };
  return { named, variables, data, add, isErrorField: errorFieldsOf(errorFields) };
}

function isCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith(headerPrefix) && isRedactedName(lower.slice(headerPrefix.length))) return true;
  // Node's list of a request's headers, by turns names and values.
  return lower === "rawheaders" || credentialEnds.some((end) => lower.endsWith(end));
}

/** Whether the value of a field is replaced whatever it is. */
export function isReplaced(rules: FieldRules, name: string): boolean {
  const rule = rules.ruleOf(name);
  return rule !== undefined && rule !== "credential-name";
}

/**
 * Returns what replaces a value that may leave by its field's name, if anything. That a credential is missing says why
 * something failed.
 */
export function replacementOf(rules: FieldRules, name: string, value: unknown): string | undefined {
  const isMissing = value === undefined || value === null || value === "" || typeof value === "boolean";
  if (!isMissing && rules.ruleOf(name) === "credential-name") return redactedValue;
  return isVariable(name, value) ? redactedVariable : undefined;
}

/** The rules for only the specification's names. */
export const defaultRedaction: Redaction = redactionOf();

/** Returns a copy in which the value of every redacted header is replaced; absent ones are left out. */
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
