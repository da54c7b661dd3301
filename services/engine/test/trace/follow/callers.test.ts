import { describe, expect, it } from "vitest";
import { stepsOf, traced } from "../signals-in.ts";

describe("the call of a function on the stack", () => {
  const grade = {
    "grade.go": [
      "package main",
      "",
      "func grade(inclusions int) string {",
      "\treturn scale[sort.Search(len(scale), func(i int) bool { return scale[i].from > inclusions })].name",
      "}",
    ].join("\n"),
    "main.go": ["package main", "", "func main() {", "\tprintln(grade(stone.inclusions))", "}"].join("\n"),
  };
  const goLog = (innermost: string): string =>
    `panic: runtime error: index out of range [8] with length 8\n\ngoroutine 1 [running]:\n${innermost}main.main()\n\t/srv/main.go:4 +0x1d\n`;

  const at = (called: string, file = "/srv/grade.go:4"): string => `${called}\n\t${file} +0x1d\n`;
  const inSearch = [
    at("main.grade.func1(0x1)"),
    at("sort.Search(0x8, 0xc000012)", "/usr/local/go/src/sort/search.go:65"),
    at("main.grade(...)"),
  ].join("");

  it("isn't taken for that of a function without a name inside it", async () => {
    const { signals } = await traced(goLog(at("main.grade(...)")), grade);
    expect(stepsOf(signals)).toContain("call grade.go:4");
    expect(signals.map(({ args }) => ("name" in args ? args.name : null))).not.toContain("i");
  });

  it("isn't looked for in what the function without a name doesn't run", async () => {
    const { signals } = await traced(goLog(inSearch), grade);
    expect(signals.map(({ args }) => ("name" in args ? args.name : null))).toContain("i");
    expect(stepsOf(signals)).not.toContain("argument main.go:4");
  });

  it("is the one of the function itself where a function without a name inside it failed", async () => {
    const files = {
      "auction.js": ["export function run(lot, dial) {", "  return dial.at(() => lot.mark.id);", "}"].join("\n"),
      "dial.js": ["export const at = (read) => {", "  return read(other);", "};"].join("\n"),
      "main.js": ["import { run } from './auction.js';", "run({ mark: undefined }, dial);"].join("\n"),
    };
    const { signals } = await traced(
      [
        "TypeError: Cannot read properties of undefined (reading 'id')",
        "    at /srv/auction.js:2:33",
        "    at at (/srv/dial.js:2:10)",
        "    at run (/srv/auction.js:2:15)",
        "    at /srv/main.js:2:1",
      ].join("\n"),
      files,
    );
    expect(stepsOf(signals)).toContain("literal main.js:2");
    expect(stepsOf(signals)).not.toContain("argument dial.js:2");
  });
});
