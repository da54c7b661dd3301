import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("an error that is caught and not passed on", () => {
  it("is named where the trail runs through it", async () => {
    const files = {
      "a.js":
        "function load() {\n  try {\n    return read();\n  } catch {\n    return null;\n  }\n}\nconst row = load();\nrow.id;\n",
    };
    const signals = await signalsIn(
      files,
      "TypeError: Cannot read properties of null (reading 'id')",
      "f (/srv/a.js:9:5)",
    );
    expect(ofKind(signals, "swallowed-error")).toEqual([{ line: 4, args: { call: "read" } }]);
  });
});
