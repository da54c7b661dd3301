import { describe, expect, it } from "vitest";
import { ofKind, stepsOf, traced } from "../signals-in.ts";

async function tracedIndex(index: string) {
  const text = `package main\n\nfunc last(back int) int {\n\treturn values[${index}]\n}\n\nfunc main() {\n\tlast(1)\n}\n`;
  const log =
    "panic: runtime error: index out of range [-1]\n\ngoroutine 1 [running]:\nmain.last(...)\n\t/srv/ring.go:4 +0x1d\nmain.main()\n\t/srv/ring.go:8 +0x1d\n";
  return (await traced(log, { "ring.go": text })).signals;
}

describe("a negative index", () => {
  it.each(["(next - back) % len(values)", "(next-back)%size"])("is made where %s is negative", async (index) => {
    const signals = await tracedIndex(index);
    expect(ofKind(signals, "bad-value")).toMatchObject([{ line: 4, args: { was: "negative index" } }]);
    expect(stepsOf(signals)).toEqual([]);
  });

  it.each(["next - back", "(next + back) % size", "back"])("comes from what %s is made of", async (index) => {
    expect(stepsOf(await tracedIndex(index))).toContain("argument ring.go:8");
  });
});
