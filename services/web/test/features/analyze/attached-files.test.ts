import { limits } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { addFiles, lineCount, readFiles } from "../../../src/features/analyze/attached-files.ts";
import { textProblem } from "../../../src/features/analyze/draft.ts";
import { matchFrame } from "../../../src/features/analyze/frames.ts";
import { previewedFiles } from "../../../src/features/analyze/previewed-files.ts";
import { sizeName } from "../../../src/lib/size-name.ts";

const chosen = (name: string, content: string, size = content.length) => ({ name, size, text: async () => content });
const attached = (name: string, content = "") => ({ name, content, bytes: content.length });

describe("files for an analysis", () => {
  it("are read when they are text of at most 1 MiB in UTF-8; the reason is given for others", async () => {
    const largest = "x".repeat(limits.fileContentBytesMax);
    const { read, refused } = await readFiles([
      chosen("a.js", "a();"),
      chosen("largest.log", largest),
      chosen("larger.log", "", limits.fileContentBytesMax + 1),
      // Bytes that are no UTF-8 become characters of three.
      chosen("latin1.log", "\ufffd".repeat(limits.fileContentBytesMax / 2), limits.fileContentBytesMax / 2),
      chosen("photo.png", "\u0089P\0"),
      { name: "gone.js", size: 1, text: () => Promise.reject(new Error("gone")) },
    ]);
    expect(read.map(({ name, bytes }) => [name, bytes])).toEqual([
      ["a.js", 4],
      ["largest.log", limits.fileContentBytesMax],
    ]);
    expect(refused).toEqual([
      "larger.log is 1.1 MiB; the limit is 1 MiB.",
      "latin1.log is 1.5 MiB; the limit is 1 MiB.",
      "photo.png isn't a text file.",
      "gone.js couldn't be read.",
    ]);
  });

  it("are at most 20, and one of the same name is replaced", () => {
    const files = Array.from({ length: limits.filesMax }, (_, index) => attached(`${index}.js`));
    const replaced = addFiles(files, { read: [attached("7.js", "new")], refused: [] });
    expect(replaced).toEqual({ read: expect.toSatisfy(({ length }) => length === limits.filesMax), refused: [] });
    expect(replaced.read.find(({ name }) => name === "7.js")?.content).toBe("new");
    const more = addFiles(files, { read: [attached("a.js")], refused: ["b"] });
    expect(more.read).toEqual(files);
    expect(more.refused).toEqual(["b", "a.js was left out: the limit is 20 files."]);
  });

  it("match a frame when they have its line", () => {
    const files = new Map([["a.js", attached("a.js", "1\n2\n")]]);
    const frame = { function: null, file: "/srv/a.js", origin: "app", attached: "a.js", generated: null } as const;
    expect(lineCount(attached("a.js", "1\n2\n"))).toBe(3);
    expect(matchFrame({ ...frame, line: 3 }, files).kind).toBe("attached");
    expect(matchFrame({ ...frame, line: 4 }, files).kind).toBe("too-short");
    const generated = { file: "/srv/dist/a.js", line: 1 };
    expect(matchFrame({ ...frame, line: 4, generated }, files).kind).toBe("attached");
    expect(matchFrame({ ...frame, line: 4, attached: null }, files).kind).toBe("missing");
    expect(matchFrame({ ...frame, line: 4, attached: null, origin: "runtime" }, files).kind).toBe("foreign");
  });
});

describe("files for a preview", () => {
  it("are sent by line count, and with their content when they map compiled code, within the limit", () => {
    const map = attached("a.js.map", "{}");
    const compiled = attached("a.js", "a();\n//# sourceMappingURL=a.js.map");
    expect(previewedFiles([map, compiled, attached("a.ts", "1\n2")])).toEqual([
      { name: "a.js.map", content: "{}" },
      { name: "a.js", content: compiled.content },
      { name: "a.ts", lines: 2 },
    ]);
    const half = { ...map, bytes: limits.previewedContentBytesMax / 2 };
    const none = { name: "a.js.map", lines: 1 };
    expect(previewedFiles([half, { ...half, bytes: half.bytes + 1 }, half])).toMatchObject([
      { content: "{}" },
      none,
      { content: "{}" },
    ]);
  });
});

describe("a text for an analysis", () => {
  it("has at most 1 MiB in UTF-8", () => {
    expect(textProblem("é".repeat(limits.errorLogBytesMax / 2))).toBeNull();
    expect(textProblem(`${"é".repeat(limits.errorLogBytesMax / 2)}.`)).toContain(
      "The text is 1.1 MiB; the limit is 1 MiB.",
    );
  });
});

describe("the name of a size", () => {
  it.each([
    [0, "0 bytes"],
    [1_023, "1,023 bytes"],
    [1_024, "1 KiB"],
    [1_025, "1.1 KiB"],
    [1_048_576, "1 MiB"],
  ])("of %d bytes is %s", (bytes, name) => {
    expect(sizeName(bytes)).toBe(name);
  });
});
