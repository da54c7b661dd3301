import { expect, it } from "vitest";
import { ownLine } from "../../src/lib/own-line.ts";

it("capitalizes a clause on its own line, and no name in code", () => {
  const names = ["order.total is null", "`order` is null", "card-api failed", "payments/src/x.ts:3 reads `order`"];
  expect(["a response has none", ...names].map(ownLine)).toEqual(["A response has none", ...names]);
});
