import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const negativeSize = "java.lang.NegativeArraySizeException: -1";

async function foundIn(volume: string, message = negativeSize, after = ""): Promise<object[]> {
  const log = `Exception in thread "main" ${message}\n\tat yard.Bay.layers(Bay.java:7)\n`;
  const files = {
    "yard/Bay.java": `package yard;\n\nclass Bay {\n  int[] layers(Stack stack, int layer, int width) {\n    ${volume}\n    int count = (int) ((volume + layer - 1) / layer);\n    return new int[count];\n  }\n${after}}\n`,
    "yard/Stack.java": "package yard;\n\nrecord Stack(int pieces, long length, Board board) {\n}\n",
    "yard/Board.java":
      "package yard;\n\nclass Board {\n  int volume() {\n    return 9;\n  }\n  double weight() {\n    return 2.5;\n  }\n}\n",
  };
  return ofKind((await traced(log, files)).signals, "overflow");
}

const found = (code: string) => [{ line: 5, args: { code } }];

describe("a product that becomes longer only after it overflowed", () => {
  it.each(["stack.pieces() * stack.board().volume()", "layer * width * 24", "(layer + 1) * width"])(
    "is found: %s",
    async (code) => {
      expect(await foundIn(`long volume = ${code};`)).toEqual(found(code));
    },
  );

  it.each([
    ["one factor is longer", "long volume = stack.pieces() * stack.length();"],
    ["one factor is cast", "long volume = (long) layer * width;"],
    ["a literal is longer", "long volume = layer * 24L;"],
    ["one factor isn't an integer", "double volume = stack.pieces() * stack.board().weight();"],
    ["it stays as short as it is", "int volume = layer * width;"],
    ["it is of literals", "long volume = 24 * 60;"],
    ["the function knows the limit", "if (layer > Integer.MAX_VALUE / width) throw null; long volume = layer * width;"],
  ])("isn't found if %s", async (_, volume) => {
    expect(await foundIn(volume)).toEqual([]);
  });

  it("isn't found where nothing that failed uses it", async () => {
    const area = "  long area(int layer, int width) {\n    return layer * width;\n  }\n";
    expect(await foundIn("long volume = 1;", negativeSize, area)).toEqual([]);
  });

  it("isn't found where the error shows no negative number", async () => {
    const message = "java.lang.ArithmeticException: / by zero";
    expect(await foundIn("long volume = layer * width;", message)).toEqual([]);
  });
});
