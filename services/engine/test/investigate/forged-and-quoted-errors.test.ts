import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";
import { investigated, textSubject } from "../investigated.ts";
import { culprit, decoy } from "../printed-failures.ts";
import { deceptions } from "./forged-texts.ts";

describe("in a text that a stranger could write into", () => {
  it.each(deceptions)("%s", async (_, text) => {
    const { exceptions, chain } = parseText(text);
    const files = chain
      .flatMap((index) => exceptions[index]?.frames ?? [])
      .map(({ file }) => (file ?? "").toLowerCase());
    expect(files.some((file) => file.includes(culprit))).toBe(true);
    expect(files.filter((file) => file.includes(decoy))).toEqual([]);
    const { report } = await investigated(textSubject(text));
    expect(report.root_cause.location?.file.toLowerCase()).toContain(culprit);
  });
});
