import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refusalsInARowMax, searchCallsMax, storeByHalves } from "../../src/writer/store-by-halves.ts";

const rowsUpTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const refusal = new Error("the group");
const { signal } = new AbortController();

/** Returns a store that refuses groups with a bad row, until it is down. */
function storeWithout(bad: ReadonlySet<number>, { awayFrom = Number.POSITIVE_INFINITY } = {}) {
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    signal,
    async store(rows: readonly number[]): Promise<Error | null> {
      calls += 1;
      if (calls > awayFrom) return new Error("away");
      const found = rows.find((row) => bad.has(row));
      return found === undefined ? null : new Error(`row ${found}`);
    },
    async takesGoodRow(): Promise<boolean> {
      calls += 1;
      return calls <= awayFrom;
    },
  };
}

const sorted = (rows: readonly number[]): number[] => rows.toSorted((left, right) => left - right);

describe("the search for refused rows", () => {
  it("finds each bad row, whatever the mix, and stores every other one", async () => {
    const group = fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), group, async (count, chosen) => {
        const rows = rowsUpTo(count);
        const bad = new Set(chosen.map((row) => row % count));
        const found = await storeByHalves(rows, refusal, storeWithout(bad));
        expect(sorted(found.refused.map(({ row }) => row))).toEqual(sorted([...bad]));
        expect(sorted(found.stored)).toEqual(rows.filter((row) => !bad.has(row)));
        expect(found.undecided).toEqual([]);
      }),
    );
  });

  it("returns why each was refused", async () => {
    const { refused } = await storeByHalves(rowsUpTo(8), refusal, storeWithout(new Set([3, 6])));
    expect(refused).toEqual([
      { row: 3, reason: "row 3" },
      { row: 6, reason: "row 6" },
    ]);
  });

  it.each([
    [1, 10_000],
    [5, 10_000],
    [3, 1_000],
  ])("makes at most 2 k (log2 n + 1) calls for %i of %i rows, plus checks with a good row", async (k, n) => {
    const bad = new Set(rowsUpTo(k).map((index) => Math.floor(((index + 0.5) * n) / k)));
    const store = storeWithout(bad);
    const { refused } = await storeByHalves(rowsUpTo(n), refusal, store);
    expect(refused).toHaveLength(k);
    expect(store.calls).toBeLessThanOrEqual(2 * k * (Math.ceil(Math.log2(n)) + 1) + 1);
  });

  it("ends after its maximum of calls, and lists the undecided rows", async () => {
    const rows = rowsUpTo(10_000);
    const store = storeWithout(new Set(rows.filter((row) => row % 10 === 0)));
    const { stored, refused, undecided } = await storeByHalves(rows, refusal, store);
    expect(store.calls).toBeLessThanOrEqual(searchCallsMax + 1);
    expect(refused.length).toBeGreaterThan(10);
    expect(undecided.length).toBeGreaterThan(0);
    expect(sorted([...stored, ...refused.map(({ row }) => row), ...undecided])).toEqual(rows);
  });

  it("finds no bad row in a store that refuses everything", async () => {
    const store = storeWithout(new Set(), { awayFrom: 0 });
    const found = await storeByHalves(rowsUpTo(1_000), refusal, store);
    expect(found).toMatchObject({ stored: [], refused: [] });
    expect(sorted(found.undecided)).toEqual(rowsUpTo(1_000));
    expect(store.calls).toBeLessThanOrEqual(refusalsInARowMax + 2);
  });

  it("finds every row bad when all are, in a store that accepts a known good row", async () => {
    const found = await storeByHalves(rowsUpTo(50), refusal, storeWithout(new Set(rowsUpTo(50))));
    expect(found.refused).toHaveLength(50);
  });

  it("rejects no valid row when the store fails during the search", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.nat(199), async (awayFrom, badRow) => {
        const found = await storeByHalves(rowsUpTo(200), refusal, storeWithout(new Set([badRow]), { awayFrom }));
        expect(found.refused.filter(({ row }) => row !== badRow)).toEqual([]);
        expect(found.stored.length + found.refused.length + found.undecided.length).toBe(200);
      }),
    );
  });

  it("ends when its signal is aborted", async () => {
    const ending = new AbortController();
    const { store, takesGoodRow } = storeWithout(new Set([5]));
    const search = {
      takesGoodRow,
      signal: ending.signal,
      store: (rows: readonly number[]) => {
        ending.abort();
        return store(rows);
      },
    };
    const { stored, undecided } = await storeByHalves(rowsUpTo(8), refusal, search);
    expect(stored).toEqual([0, 1, 2, 3]);
    expect(undecided).toEqual([4, 5, 6, 7]);
  });
});
