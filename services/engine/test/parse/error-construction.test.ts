import { describe, expect, it } from "vitest";
import { parseText } from "../../src/parse/parse.ts";

const callsOf = (text: string): (string | null)[] =>
  parseText(text).exceptions.flatMap(({ frames }) => frames.map((frame) => frame.function));

describe("the calls of an error that took its stack in its own constructor", () => {
  it("begin where it was thrown", () => {
    const text = `PatchError: no such path
    at new PatchError (/srv/patch/errors.js:17:28)
    at new patch.PathError (/srv/patch/errors.js:30:5)
    at validate (/srv/patch/validate.js:344:23)
    at main (/srv/main.js:2:1)
`;
    expect(callsOf(text)).toEqual(["validate", "main"]);
  });

  it("don't have the line of its constructor, which a crash prints above it", () => {
    const text = `/srv/patch/errors.js:17
    Error.captureStackTrace(this);
          ^

PatchError: no such path
    at new PatchError (/srv/patch/errors.js:17:11)
    at validate (/srv/patch/validate.js:344:23)

Node.js v26.10.0
`;
    expect(parseText(text).exceptions[0]?.throwSite).toBeNull();
  });

  it("begin there for an error of Node.js with a code, too", () => {
    const text = "RangeError [ERR_X]: no\n    at new NodeError (/srv/a.js:1:2)\n    at validate (/srv/b.js:1:2)\n";
    expect(callsOf(text)).toEqual(["validate"]);
  });

  it("stay where the constructor itself failed, or nothing else is known", () => {
    const failed =
      "TypeError: x is not a function\n    at new PatchError (/srv/a.js:1:2)\n    at run (/srv/b.js:1:2)\n";
    expect(callsOf(failed)).toEqual(["new PatchError", "run"]);
    expect(callsOf("PatchError: none\n    at new PatchError (/srv/a.js:1:2)\n")).toEqual(["new PatchError"]);
  });

  it("stay where the printed line throws", () => {
    const text = `/srv/patch/errors.js:17
    if (status < 400) throw new Error("no status of an error");
                      ^

Error: no status of an error
    at new PatchError (/srv/patch/errors.js:17:23)
    at validate (/srv/patch/validate.js:344:23)

Node.js v26.10.0
`;
    expect(callsOf(text)).toEqual(["new PatchError", "validate"]);
  });

  it("stay where the constructed object isn't an error", () => {
    expect(callsOf("Error: none\n    at new Patch (/srv/a.js:1:2)\n    at run (/srv/b.js:1:2)\n")).toEqual([
      "new Patch",
      "run",
    ]);
  });
});
