import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** The bits of a tag that are its wire type. */
const typeBits = 3;
const typeMask = 7;

/**
 * Reads protobuf, and passes over what isn't needed without making values of it. Whatever is passed over is refused
 * exactly when reading it would be.
 */
export class WireReader extends BinaryReader {
  readonly source: Uint8Array;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.source = bytes;
  }

  /** Reads a tag as one number; see {@link numberIn} and {@link wireTypeIn}. */
  nextTag(): number {
    const byte = this.source[this.pos] ?? 0;
    if (byte < 0x80 && byte >> typeBits > 0 && (byte & typeMask) <= WireType.Bit32) {
      this.pos += 1;
      return byte;
    }
    const [number, wireType] = this.tag();
    return number * 2 ** typeBits + wireType;
  }

  /** Reads a varint of 32 bits. */
  next32(): number {
    const byte = this.source[this.pos];
    if (byte === undefined || byte >= 0x80) return this.uint32();
    this.pos += 1;
    return byte;
  }

  /** Reads the length of a text, bytes, or a message, and returns where it ends. */
  endOfNext(): number {
    const length = this.next32();
    if (length > this.len - this.pos) throw new RangeError("a length ends beyond the bytes");
    return this.pos + length;
  }

  /** Passes over the value of a field that isn't known. */
  pass(tag: number): void {
    const wireType = wireTypeIn(tag);
    if (wireType === WireType.LengthDelimited) this.pos = this.endOfNext();
    else if (wireType === WireType.Varint && (this.source[this.pos] ?? 0x80) < 0x80) this.pos += 1;
    else this.skip(wireType, numberIn(tag));
  }

  /** Passes over as many bytes. */
  passBytes(count: number): void {
    if (count > this.len - this.pos) throw new RangeError("a number ends beyond the bytes");
    this.pos += count;
  }
}

/** The number of the field that a tag begins. */
export function numberIn(tag: number): number {
  return tag >>> typeBits;
}

/** The type of its value. */
export function wireTypeIn(tag: number): WireType {
  return tag & typeMask;
}
