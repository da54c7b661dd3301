import { expect, it } from "vitest";
import { badValue } from "../../../src/signals/code/bad-value.ts";

const place = { file: "src/anneal.js", line: 3, function: "anneal" };
const read = { was: "null", use: "read", member: "hold", place, thrown: null, isUnchecked: false } as const;

it("says that a parameter was destructured from what is missing, rather than that its pattern is", () => {
  const said = badValue.link.what({ ...read, expression: "{ hold = 60 }" });
  expect(said).toBe("`anneal` (`src/anneal.js:3`) destructures `{ hold = 60 }` from a value that is `null`");
  expect(badValue.link.what({ ...read, expression: "program" })).toContain(
    "reads `hold` of `program`, which is `null`",
  );
});
