/** Adds up what objects hold in memory; one that several hold counts once, for as long as somebody holds it. */
export class HeldParts {
  readonly #parts = new Map<object, { readonly bytes: number; holders: number }>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** True when nobody held it before. */
  hold(part: object, bytesOf: () => number): boolean {
    const known = this.#parts.get(part);
    if (known) {
      known.holders += 1;
      return false;
    }
    const bytes = bytesOf();
    this.#parts.set(part, { bytes, holders: 1 });
    this.#bytes += bytes;
    return true;
  }

  /** Undoes one {@link hold}. True when nobody holds it any more. */
  release(part: object): boolean {
    const known = this.#parts.get(part);
    if (!known) return false;
    known.holders -= 1;
    if (known.holders > 0) return false;
    this.#parts.delete(part);
    this.#bytes -= known.bytes;
    return true;
  }
}
