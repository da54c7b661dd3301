import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced } from "../signals-in.ts";

/** What is noted where a function made by `build` calls `weigh`, which fails for its scale. */
async function bindingsIn(build: string): Promise<object[]> {
  const text = `def weigh(parcel, scale):
    return parcel.weight / scale.step

def build(scales, weighing):
${build.replace(/^/gm, "    ")}
`;
  const lines = text.split("\n");
  const line = lines.findIndex((one, index) => index > 3 && one.includes("weigh(parcel")) + 1;
  const log = `Traceback (most recent call last):
  File "/srv/main.py", line 9, in run
    weighing["small"](parcel)
  File "/srv/weigh.py", line ${line}, in <lambda>
  File "/srv/weigh.py", line 2, in weigh
    return parcel.weight / scale.step
ZeroDivisionError: division by zero
`;
  const { signals } = await traced(log, { "weigh.py": text });
  return ofKind(signals, "late-binding");
}

describe("a function of Python that is made in a loop", () => {
  const found = (line: number, name: string) => [{ line, args: { name, how: "loop" } }];

  it.each([
    ["a dictionary", 6, "for scale in scales:\n    weighing[scale.name] = lambda parcel: weigh(parcel, scale)"],
    ["a list", 6, "for scale in scales:\n    weighing.append(lambda parcel: weigh(parcel, scale))"],
    ["a comprehension", 5, "return [lambda parcel: weigh(parcel, scale) for scale in scales]"],
    [
      "a comprehension of a dictionary",
      5,
      "return {scale.name: lambda parcel: weigh(parcel, scale) for scale in scales}",
    ],
    ["a handler", 6, "for scale in scales:\n    weighing.subscribe(lambda parcel: weigh(parcel, scale))"],
    [
      "its name",
      6,
      "for scale in scales:\n    def one(parcel):\n        return weigh(parcel, scale)\n    weighing[scale.name] = one",
    ],
  ])("sees the last value of the loop's variable: %s", async (_, line, build) => {
    expect(await bindingsIn(build)).toEqual(found(line, "scale"));
  });

  it("sees the last value of a variable that the loop sets", async () => {
    const build =
      "for name in scales:\n    scale = scales[name]\n    weighing[name] = lambda parcel: weigh(parcel, scale)";
    expect(await bindingsIn(build)).toEqual(found(7, "scale"));
  });

  it.each([
    [
      "a default binds the value",
      "for scale in scales:\n    weighing.append(lambda parcel, scale=scale: weigh(parcel, scale))",
    ],
    [
      "it is called at once",
      "for scale in scales:\n    weighing.extend(map(lambda parcel: weigh(parcel, scale), parcels))",
    ],
    [
      "each iteration makes what keeps it",
      "for scale in scales:\n    jobs = []\n    jobs.append(lambda parcel: weigh(parcel, scale))\n    run(jobs)",
    ],
    [
      "each iteration makes the dictionary of it",
      "for scale in scales:\n    jobs = {}\n    jobs['a'] = lambda parcel: weigh(parcel, scale)\n    run(jobs)",
    ],
    ["the list of it is passed on", "for scale in scales:\n    run([lambda parcel: weigh(parcel, scale)])"],
    ["the loop ends with it", "for scale in scales:\n    weighing[0] = lambda parcel: weigh(parcel, scale)\n    break"],
    [
      "another function makes it",
      "def made(scale):\n    return lambda parcel: weigh(parcel, scale)\nfor scale in scales:\n    weighing.append(made(scale))",
    ],
  ])("has the value that it was made with where %s", async (_, build) => {
    expect(await bindingsIn(build)).toEqual([]);
  });
});

describe("a function of JavaScript that is made in a loop", () => {
  const bindingsOf = async (loop: string): Promise<object[]> => {
    const text = `const handlers = {};\nfor (${loop}) {\n  handlers[name] = () => send(name.id);\n}\n`;
    const error = "TypeError: Cannot read properties of undefined (reading 'id')";
    return ofKind(
      await signalsIn({ "send.js": text }, error, "handlers.<computed> (/srv/send.js:3:38)"),
      "late-binding",
    );
  };

  it.each(["var name of names", "var index = 0, name = names[0]; index < 3; name = names[++index]"])(
    "sees the last value of a `var`: %s",
    async (loop) => {
      expect(await bindingsOf(loop)).toEqual([{ line: 3, args: { name: "name", how: "var" } }]);
    },
  );

  it.each(["const name of names", "let name of names"])("has a variable of its own: %s", async (loop) => {
    expect(await bindingsOf(loop)).toEqual([]);
  });
});
