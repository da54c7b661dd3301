import { expect, it } from "vitest";
import { ownLine } from "../../src/lib/own-line.ts";

it("capitalizes a clause on its own line, and no name in code", () => {
  expect(["a response has none", "order.total is null", "`order` is null"].map(ownLine)).toEqual([
    "A response has none",
    "order.total is null",
    "`order` is null",
  ]);
});
