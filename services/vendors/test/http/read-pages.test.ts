import { describe, expect, it } from "vitest";
import { readEveryPage, readPages } from "../../src/http/read-pages.ts";

const { signal } = new AbortController();
const page = (number: number, last: number) => ({ items: [number], next: number < last ? number + 1 : null });

describe("the pages of a list", () => {
  it.each([
    [1, [1]],
    [5, [1, 2, 3, 4, 5]],
    [6, [1, 2, 3, 4, 5]],
  ])("that has %i are read up to the fifth", async (last, read) => {
    expect(await readPages<number, number>(async (next) => page(next ?? 1, last), signal)).toEqual(read);
  });

  it("end where a further one fails", async () => {
    const read = async (next: number | null) => (next === 3 ? Promise.reject(new Error("slow")) : page(next ?? 1, 5));
    expect(await readPages<number, number>(read, signal)).toEqual([1, 2]);
  });

  it("fail with the first one", async () => {
    await expect(readPages(() => Promise.reject(new Error("forbidden")), signal)).rejects.toThrow("forbidden");
  });

  it("fail when no one waits for them anymore", async () => {
    const leaving = new AbortController();
    const read = async (next: number | null) => {
      if (next === 2) leaving.abort();
      return page(next ?? 1, 5);
    };
    await expect(readPages<number, number>(read, leaving.signal)).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("every page of a list", () => {
  const read = async (last: number, next: number | null) => page(next ?? 1, last);

  it.each([
    [3, [1, 2, 3], true],
    [4, [1, 2, 3], false],
  ])("that has %i when three are wanted is read, or known to be incomplete", async (last, items, isWhole) => {
    expect(await readEveryPage<number, number>((next) => read(last, next), 3)).toEqual({ items, isWhole });
  });

  it("fails when one of them does", async () => {
    const failing = (next: number | null) => (next === 2 ? Promise.reject(new Error("forbidden")) : read(3, next));
    await expect(readEveryPage<number, number>(failing)).rejects.toThrow("forbidden");
  });
});
