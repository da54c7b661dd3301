/** Sums the bytes of objects by reference count: an object acquired several times counts once. */
export class RefCountedBytes {
  readonly #parts = new Map<object, { readonly bytes: number; references: number }>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns true for the first reference. */
  acquire(part: object, bytesOf: () => number): boolean {
    const known = this.#parts.get(part);
    if (known) {
      known.references += 1;
      return false;
    }
    const bytes = bytesOf();
    this.#parts.set(part, { bytes, references: 1 });
    this.#bytes += bytes;
    return true;
  }

  /** Undoes one {@link acquire}. Returns true for the last reference. */
  release(part: object): boolean {
    const known = this.#parts.get(part);
    if (!known) return false;
    known.references -= 1;
    if (known.references > 0) return false;
    this.#parts.delete(part);
    this.#bytes -= known.bytes;
    return true;
  }
}
