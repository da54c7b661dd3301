import { describe, expect, it } from "vitest";
import { ofKind, signalsIn } from "../signals-in.ts";

describe("a data file that can't be parsed", () => {
  it("is named", async () => {
    const files = { "settings.json": '{\n  "a": 1,\n}\n' };
    const signals = await signalsIn(
      files,
      "SyntaxError: Unexpected token } in JSON at position 13",
      "f (/srv/a.js:1:1)",
    );
    expect(ofKind(signals, "broken-file")).toMatchObject([{ args: { format: "JSON", isReported: false } }]);
  });

  it("is recognized as the one whose problem the error reports verbatim", async () => {
    const files = { "settings.json": '{ "a": tru', "other.json": '{ "b" 1 }' };
    const message = "Unexpected end of JSON input";
    const problemOf = (text: string): string => {
      try {
        return String(JSON.parse(text));
      } catch (error) {
        return error instanceof Error ? error.message : message;
      }
    };
    const signals = await signalsIn(files, `SyntaxError: ${problemOf(files["other.json"])}`, "f (/srv/a.js:1:1)");
    const reported = signals.flatMap((signal) =>
      signal.kind === "broken-file" && signal.args.isReported ? [signal.subject.file] : [],
    );
    expect(reported).toEqual(["other.json"]);
  });
});
