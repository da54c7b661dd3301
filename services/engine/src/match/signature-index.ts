import type { Signature } from "../findings.ts";
import type { Subject } from "./subject.ts";
import { parseTemplate, requiredWord, type Template } from "./template.ts";

/** A signature ready to be compared. */
export interface IndexedSignature {
  readonly signature: Signature;
  /** Its place in the order of precedence. */
  readonly order: number;
  readonly message: readonly Template[];
  readonly beside: readonly Template[];
}

/**
 * Signatures by what a subject must have to match them: one of the codes, a word of a message, else a type. Comparing
 * one error so costs a look-up for each of its words, and a comparison with the few signatures that share one.
 */
export class SignatureIndex {
  readonly #byCode = new Map<string, IndexedSignature[]>();
  readonly #byWord = new Map<string, IndexedSignature[]>();
  readonly #byType = new Map<string, IndexedSignature[]>();
  readonly #always: IndexedSignature[] = [];

  constructor(signatures: readonly Signature[]) {
    for (const [order, signature] of signatures.entries()) this.#add(signature, order);
  }

  /** Those that may match, in order of precedence. */
  candidatesFor({ codes, message, types }: Subject): IndexedSignature[] {
    const words = new Set(message.folded.match(/[a-z0-9_]+/g));
    const found = new Set([
      ...[...codes.keys()].flatMap((code) => this.#byCode.get(code) ?? []),
      ...[...words].flatMap((word) => this.#byWord.get(word) ?? []),
      ...[...types].flatMap((type) => this.#byType.get(type) ?? []),
      ...this.#always,
    ]);
    return [...found].toSorted((left, right) => left.order - right.order);
  }

  #add(signature: Signature, order: number): void {
    const { code, message, type, beside } = signature.match;
    const templates = (message ?? []).map(parseTemplate);
    const indexed = { signature, order, message: templates, beside: (beside ?? []).map(parseTemplate) };
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
