import type { AnalysisPreview, PreviewedException, PreviewedFrame } from "@whence/protocol";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { Preview } from "../../../src/features/analyze/components/preview.tsx";
import { PreviewedError } from "../../../src/features/analyze/components/previewed-error.tsx";
import { missingFiles } from "../../../src/features/analyze/frames.ts";
import { readAs } from "../../../src/features/analyze/read-as.ts";
import { shownText } from "../../shown-text.ts";

const frame = (changes: Partial<PreviewedFrame> = {}): PreviewedFrame => ({
  function: "total",
  file: "src/cart.js",
  line: 12,
  origin: "app",
  attached: null,
  generated: null,
  ...changes,
});

const exception = (changes: Partial<PreviewedException> = {}): PreviewedException => ({
  type: "TypeError",
  message: "items is undefined",
  language: "javascript",
  relation: null,
  repeats: 1,
  frames: [],
  frames_total: 0,
  ...changes,
});

const preview = (changes: Partial<AnalysisPreview> = {}): AnalysisPreview => ({
  kind: "error",
  headline: "TypeError: items is undefined",
  exceptions: [exception()],
  chosen: 1,
  chosen_because: null,
  exceptions_total: 1,
  records: 0,
  alert_system: null,
  signatures: [],
  unread: [],
  ...changes,
});

describe("what a text was recognized as", () => {
  it("is an error in its language, with the correct article", () => {
    const language = (name: string | null) => readAs(preview({ exceptions: [exception({ language: name })] }));
    expect(language("javascript")).toBe("Read as a JavaScript error.");
    expect(language("elixir")).toBe("Read as an Elixir error.");
    expect(language("cobol")).toBe("Read as a cobol error.");
    expect(language(null)).toBe("Read as an error.");
  });

  it("says how many log lines there are in addition", () => {
    expect(readAs(preview({ records: 1 }))).toBe("Read as a JavaScript error, with 1 log line.");
    expect(readAs(preview({ records: 12 }))).toBe("Read as a JavaScript error, with 12 log lines.");
  });

  it("is an alert from a system, if the system is known", () => {
    const alert = (system?: string): Parameters<typeof preview>[0] => ({
      kind: "alert",
      exceptions: [],
      ...(system === undefined ? {} : { alert_system: system }),
    });
    expect(readAs(preview(alert("Grafana")))).toBe("Read as an alert from Grafana.");
    expect(readAs(preview(alert()))).toBe("Read as an alert from a monitoring system.");
  });

  it("is log lines, which aren't counted again, or words", () => {
    expect(readAs(preview({ kind: "log", exceptions: [], records: 5 }))).toBe("Read as log lines without an error.");
    expect(readAs(preview({ kind: "text", exceptions: [] }))).toBe("Read as a description in words.");
  });
});

describe("the missing files", () => {
  const missing = (frames: readonly PreviewedFrame[], chosen = 1) =>
    missingFiles(preview({ exceptions: [exception({ frames: [...frames] })], chosen }), new Map());

  it("are those of the organization's own code, each once", () => {
    const frames = [frame(), frame({ line: 3 }), frame({ file: "src/a.js" }), frame({ origin: "dependency" })];
    expect(missing(frames)).toEqual(["src/cart.js", "src/a.js"]);
  });

  it("exclude errors that aren't investigated, and frames without a file", () => {
    expect(missing([frame()], 0)).toEqual([]);
    expect(missing([frame({ file: null })])).toEqual([]);
  });
});

describe("the preview of an analysis", () => {
  const shown = (changes: Partial<AnalysisPreview>) =>
    shownText(createElement(Preview, { preview: preview(changes), files: [] }));

  it("shows the errors that would be investigated, and how many others there are", () => {
    const exceptions = [exception(), exception({ type: "RangeError" })];
    expect(shown({ exceptions, exceptions_total: 2 })).toContain("One other error is in the text.");
    const text = shown({ exceptions, exceptions_total: 4, chosen_because: "it is the last" });
    expect(text).toContain("3 other errors are in the text: this one was chosen because it is the last.");
    expect(text).not.toContain("RangeError");
  });

  it("shows the headline of a text without an error", () => {
    expect(shown({ kind: "text", exceptions: [], chosen: 0, exceptions_total: 0, headline: "It is slow" })).toBe(
      "Read as a description in words. It is slow",
    );
  });

  it("asks for at most five missing files, and counts the rest", () => {
    const frames = Array.from({ length: 7 }, (_, index) => frame({ file: `src/${index}.js` }));
    const text = shown({ exceptions: [exception({ frames })] });
    expect(text).toContain("Attach these files");
    expect(text).toContain("src/4.js and 2 more");
  });

  it("names known failures with their source, and lines that weren't read", () => {
    const text = shown({
      signatures: [
        { id: "a", meaning: "`ECONNREFUSED`: nothing is listening", url: "https://nodejs.org/api/errors.html" },
      ],
      unread: ["line 7 is too long"],
    });
    expect(text).toContain("Looks like ECONNREFUSED : nothing is listening nodejs.org");
    expect(text).toContain("Not read line 7 is too long");
  });
});

describe("a previewed error", () => {
  const shown = (changes: Partial<PreviewedException>, files = new Map()) =>
    shownText(createElement(PreviewedError, { exception: exception(changes), files }));

  it("says how it relates to the previous one, and how often it occurs in the text", () => {
    expect(shown({ relation: "cause", repeats: 3 })).toBe("caused by TypeError : items is undefined (3 times)");
    expect(shown({ message: "" })).toBe("TypeError");
  });

  it("shows six frames, and how many more there are", () => {
    const frames = Array.from({ length: 8 }, (_, index) => frame({ line: index + 1 }));
    const text = shown({ frames, frames_total: 30 });
    expect(text).toContain("src/cart.js:6");
    expect(text).not.toContain("src/cart.js:7");
    expect(text).toContain("Show 2 more of 30 frames");
  });

  it("says which attached file has a frame, and which is too short for it", () => {
    const files = new Map([["cart.js", { name: "cart.js", content: "1\n2", bytes: 3 }]]);
    expect(shown({ frames: [frame({ attached: "cart.js", line: 2 })] }, files)).toContain("in cart.js");
    expect(shown({ frames: [frame({ attached: "cart.js", line: 9 })] }, files)).toContain(
      "cart.js has no line 9. It may be another version.",
    );
  });

  it("says what a frame lacks, and where compiled code has it", () => {
    const nameless = frame({ function: null, file: null, line: null, generated: { file: "dist/a.js", line: 4 } });
    expect(shown({ frames: [nameless] })).toContain("(anonymous) unknown compiled: dist/a.js:4");
  });
});
