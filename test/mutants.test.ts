import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyLineEdits, readCaseFile } from "../bench/rca/corpora/case-files.ts";
import { type CorpusCase, readCorpus } from "../bench/rca/corpora/corpus-case.ts";
import { isReserved } from "../bench/rca/corpora/reserved.ts";

const mutants = readCorpus(join(import.meta.dirname, "../bench/rca/corpora/mutants"));
const ofServices = mutants.filter(({ kind }) => kind === "service");
const packageOf = ({ language, group, truth }: CorpusCase): string =>
  language === "python" ? group : (/^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(truth.file)?.[1] ?? "");

describe("a recorded mutant", () => {
  it("has a unique id", () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });

  it("isn't from a reserved package", () => {
    expect(mutants.filter((read) => isReserved(packageOf(read)))).toEqual([]);
  });

  it("attaches the file with the mistake", () => {
    expect(mutants.filter(({ files, truth }) => !files.includes(truth.file))).toEqual([]);
  });

  it("names no folder of the machine that recorded it", () => {
    expect(mutants.filter(({ log }) => /\/tmp\/|\/root\/|whence/.test(log)).map(({ id }) => id)).toEqual([]);
  });
});

describe("the files of a mutated service", () => {
  it("have the mistake in the lines that the case names", () => {
    for (const read of ofServices) {
      const lines = readCaseFile(read, read.truth.file)?.split("\n") ?? [];
      const [edit] = read.edits ?? [];
      expect(read.truth.line_end, read.id).toBeLessThanOrEqual(lines.length);
      const mistake = lines.slice(read.truth.line_start - 1, read.truth.line_end).join("\n");
      if (edit !== undefined && edit.text !== "") expect(mistake, read.id).toBe(edit.text);
    }
  });
});

describe("applying edits", () => {
  const edit = (line_start: number, line_end: number, text: string) => ({ file: "a.js", line_start, line_end, text });

  it("numbers the lines as before any edit", () => {
    expect(applyLineEdits("a\nb\nc\nd", [edit(1, 1, "x\ny"), edit(3, 3, "z")])).toBe("x\ny\nb\nz\nd");
  });

  it("removes the lines when the text is empty", () => {
    expect(applyLineEdits("a\nb\nc", [edit(2, 2, "")])).toBe("a\nc");
  });
});
