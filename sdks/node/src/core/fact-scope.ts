import { limits } from "@whence/protocol/limits";
import { redactedValue } from "@whence/protocol/redaction";
import { readProperty } from "../runtime/read-property.ts";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { boundedRecord, ownKeys } from "./bounded-data.ts";
import { preview } from "./cause-chain.ts";
import { type FieldRules, withoutKey } from "./redact.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The facts for the events of a scope: bounded and redacted copies. Immutable; a new fact creates a new object. */
export interface ScopeFacts {
  /** Null when the program set no user here, which overrides the process's user. */
  readonly user?: Fields | null | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly contexts?: Readonly<Record<string, Fields>> | undefined;
}

/** Holds the facts of one scope. Its setters accept any value that a program passes. */
export class FactScope {
  readonly #rules: FieldRules;
  #facts: ScopeFacts | undefined;

  constructor(rules: FieldRules, facts?: ScopeFacts | undefined) {
    this.#rules = rules;
    this.#facts = facts;
  }

  get facts(): ScopeFacts | undefined {
    return this.#facts;
  }

  setUser(user: unknown): void {
    const copy = boundedRecord(user, sdkLimits.contextCharactersMax, this.#rules)?.data;
    this.#facts = { ...this.#facts, user: copy ?? null };
  }

  setTags(tags: unknown): void {
    if (typeof tags !== "object" || tags === null) return;
    for (const key of ownKeys(tags)) this.setTag(key, readProperty(tags, key));
  }

  setTag(key: unknown, value: unknown): void {
    const name = nameOf(key);
    const text = this.#rules.ruleOf(name) === undefined ? withoutKey(preview(value)) : redactedValue;
    const tag = value === null || value === undefined ? undefined : trimText(text, limits.tagValueLengthMax);
    this.#facts = { ...this.#facts, tags: withEntry(this.#facts?.tags, name, tag, sdkLimits.tagsMax) };
  }

  setContext(key: unknown, fields: unknown): void {
    const name = nameOf(key);
    const contexts = withEntry(this.#facts?.contexts, name, this.#contextOf(name, fields), sdkLimits.contextsMax);
    this.#facts = { ...this.#facts, contexts };
  }

  #contextOf(name: string, fields: unknown): Fields | undefined {
    if (this.#rules.ruleOf(name) !== undefined) return { [name]: redactedValue };
    return boundedRecord(fields, sdkLimits.contextCharactersMax, this.#rules.within(name))?.data;
  }
}

/** Returns the facts in wire format; a later fact overrides earlier ones with the same name. */
export function toWireFacts(facts: readonly ScopeFacts[]): {
  user: Record<string, unknown> | undefined;
  tags: Record<string, string> | undefined;
  contexts: Record<string, Record<string, unknown>> | undefined;
} {
  const user = facts.findLast((one) => one.user !== undefined)?.user;
  return {
    user: user ? { ...user } : undefined,
    tags: joined(facts.map(({ tags }) => tags)),
    contexts: joined(facts.map(({ contexts }) => contexts)),
  };
}

function joined<Value>(
  records: readonly (Readonly<Record<string, Value>> | undefined)[],
): Record<string, Value> | undefined {
  const entries = records.flatMap((record) => Object.entries(record ?? {}));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function nameOf(key: unknown): string {
  return trimText(preview(key), limits.tagNameLengthMax);
}

/**
 * Returns a copy with the entry set, or removed for an undefined value; above `maximum` entries, the oldest is dropped.
 */
function withEntry<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
  value: Value | undefined,
  maximum: number,
): Record<string, Value> {
  const others = Object.entries(record ?? {}).filter(([known]) => known !== name);
  const entries = value === undefined ? others : [...others, [name, value] as const];
  return Object.fromEntries(entries.slice(-maximum));
}
