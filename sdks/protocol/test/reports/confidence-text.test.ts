import { describe, expect, it } from "vitest";
import { confidenceText } from "../../src/index.ts";

describe("the text of a confidence", () => {
  it.each([
    [{ score: 0.84, basis: "84% likely to be the right service." }, "84% likely to be the right service."],
    [{ score: 0.1, basis: "Only the kind of failure is known." }, "10%. Only the kind of failure is known."],
    [{ score: 0.7, basis: "7 of 10 were right." }, "70%. 7 of 10 were right."],
    [{ score: 0.784, basis: "" }, "78%"],
  ])("says the percentage of %j once", (confidence, said) => expect(confidenceText(confidence)).toBe(said));
});
