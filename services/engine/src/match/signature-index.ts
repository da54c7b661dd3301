import type { ErrorText } from "./error-text.ts";
import type { SignatureEntry } from "./signature.ts";
import { parseTemplate, requiredWord, type Template } from "./template.ts";

/** A signature with its templates parsed. */
export interface IndexedSignature {
  readonly signature: SignatureEntry;
  /** Its position among all signatures; a lower one takes precedence. */
  readonly order: number;
  readonly message: readonly Template[];
  /** Of each list, one must match. */
  readonly beside: readonly (readonly Template[])[];
  readonly line: readonly Template[];
}

/**
 * Signatures by what a text needs in order to match: one of their codes, a word of a message template, or else a
 * type. An error is compared only with the few signatures that share one of these.
 */
export class SignatureIndex {
  readonly #byCode = new Map<string, IndexedSignature[]>();
  readonly #byWord = new Map<string, IndexedSignature[]>();
  readonly #byType = new Map<string, IndexedSignature[]>();
  readonly #always: IndexedSignature[] = [];

  constructor(signatures: readonly SignatureEntry[]) {
    for (const [order, signature] of signatures.entries()) this.#add(signature, order);
  }

  /** Returns the signatures that may match, in order of precedence. */
  candidatesFor({ codes, message, types }: ErrorText): IndexedSignature[] {
    const words = new Set(message.folded.match(/[a-z0-9_]+/g));
    const found = new Set([
      ...[...codes.keys()].flatMap((code) => this.#byCode.get(code) ?? []),
      ...[...words].flatMap((word) => this.#byWord.get(word) ?? []),
      ...[...types].flatMap((type) => this.#byType.get(type) ?? []),
      ...this.#always,
    ]);
    return [...found].toSorted((left, right) => left.order - right.order);
  }

  #add(signature: SignatureEntry, order: number): void {
    const { code, message, type, beside = [], line = [] } = signature.match;
    const templates = (message ?? []).map(parseTemplate);
    const indexed = {
      signature,
      order,
      message: templates,
      beside: beside.map((one) => [one].flat().map(parseTemplate)),
      line: line.map(parseTemplate),
    };
    const words = templates.map(requiredWord);
    for (const one of code ?? []) enter(this.#byCode, one, indexed);
    for (const word of words) if (word !== null) enter(this.#byWord, word, indexed);
    if (code || (message && !words.includes(null))) return;
    for (const one of type ?? []) enter(this.#byType, one, indexed);
    if (!type) this.#always.push(indexed);
  }
}

function enter(map: Map<string, IndexedSignature[]>, key: string, signature: IndexedSignature): void {
  map.set(key, [...(map.get(key) ?? []), signature]);
}
