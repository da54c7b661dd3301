import type { Expression, Orders } from "./orders.ts";
import { OwnRegExp } from "./own-reg-exp.ts";

export const redacted = "[redacted]";

/** Characters of a text in which credentials are looked for: what is kept of it is much shorter. */
const readMax = 4_096;
/** A JSON Web Token that goes on after what was read. */
const unended = new OwnRegExp("(?<![\\w-])eyJ[\\w-]{8,}(?:\\.[\\w-]*){0,2}$");

/** Masks credentials before a text is cut: what is left of one couldn't be recognized later. */
export class MaskedText {
  readonly #redactedNames: ReadonlySet<string>;
  readonly #credentialName: RegExp;
  readonly #patterns: readonly RegExp[];

  constructor({ redactedNames, credentials }: Pick<Orders, "redactedNames" | "credentials">) {
    this.#redactedNames = new Set(redactedNames);
    this.#credentialName = compiled(credentials.name);
    this.#patterns = credentials.patterns.map((one) => compiled(one, "g"));
  }

  /** Returns whether no value of this name is read. */
  isRedacted(name: string): boolean {
    return this.#redactedNames.has(name.toLowerCase());
  }

  /** Returns whether a text of this name is a credential. */
  isCredential(name: string): boolean {
    return this.#credentialName.test(name);
  }

  /** Returns the beginning of a text, with each credential replaced by asterisks. */
  of(text: string): string {
    let shown = text.slice(0, readMax);
    for (const pattern of this.#patterns) shown = shown.replace(pattern, mask);
    return text.length > readMax ? shown.replace(unended, mask) : shown;
  }
}

function compiled({ source, flags }: Expression, more = ""): RegExp {
  return new OwnRegExp(source, `${flags}${more}`);
}

function mask(credential: string): string {
  return "*".repeat(credential.length);
}
