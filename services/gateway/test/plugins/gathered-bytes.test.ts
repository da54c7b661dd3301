import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatheredBytes } from "../../src/plugins/gathered-bytes.ts";

describe("gathered bytes", () => {
  it("are those of the pieces up to the limit, and then those of the next pieces", () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 6_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.nat(20_000), pieces, pieces, (bytesMax, first, second) => {
        const gathered = new GatheredBytes(bytesMax);
        for (const round of [first, second]) {
          for (const piece of round) gathered.add(Buffer.from(piece));
          const expected = Buffer.concat(round).subarray(0, bytesMax);
          expect(gathered.bytes).toBe(expected.length);
          expect(gathered.taken().equals(expected)).toBe(true);
        }
      }),
    );
  });

  it("are copied from pieces, which take no memory of their own however small they are", () => {
    const gathered = new GatheredBytes(100_000);
    gathered.add(Buffer.from([0]));
    const piece = Buffer.alloc(1);
    for (let byte = 1; byte < 100_000; byte++) {
      piece[0] = byte;
      gathered.add(piece);
    }
    const taken = gathered.taken();
    expect(taken.every((byte, at) => byte === at % 256)).toBe(true);
    expect(taken.buffer.byteLength).toBeLessThanOrEqual(200_000);
  });

  it("keep at most twice their memory alive: a small piece of a large chunk is copied, a large one isn't", () => {
    const chunk = Buffer.alloc(1_000_000);
    const memoryOf = (bytes: number): number => {
      const gathered = new GatheredBytes(chunk.length);
      gathered.add(chunk.subarray(0, bytes));
      return gathered.taken().buffer.byteLength;
    };
    expect(memoryOf(500_000)).toBe(1_000_000);
    expect(memoryOf(499_999)).toBe(499_999);
    expect(memoryOf(10)).toBe(10);
  });
});
