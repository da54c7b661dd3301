import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../investigated.ts";
import { ofKind, stepsOf, traced } from "../signals-in.ts";

const log = "java.lang.NullPointerException\n\tat post.Sorter.sort(Sorter.java:7)\n\tat post.Main.main(Main.java:3)\n";
const sorter = (line: string) => ({
  "src/post/Sorter.java": `package post;\n\nclass Sorter {\n    private Office office;\n    void sort(Letter letter) {\n        List<String> bags = new ArrayList<>();\n        ${line}\n    }\n}\n`,
});

describe("what was null on a line with several receivers", () => {
  it("isn't a variable that was just made", async () => {
    const { signals } = await traced(log, sorter("bags.add(office.name());"));
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "office" });
  });

  it("is left open where the error doesn't say it", async () => {
    const { report } = await investigated(textSubject(log, sorter("bags.add(office.route(letter.town()));")));
    expect(report.chain.at(-1)?.what).toMatch(/dereferences `\w+` and `\w+`, and one of them is `null`$/);
    expect(JSON.stringify(report.short_term_solutions)).not.toContain("why `bags`");
  });
});

describe("the receiver of a Go method", () => {
  it("is followed to what the method was called on, not to what it was passed", async () => {
    const panic = `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x8 pc=0x4e3091]

goroutine 1 [running]:
example.com/farm/barn.(*Gate).Open(...)
\t/app/barn/gate.go:8
example.com/farm/barn.Lead(...)
\t/app/barn/lead.go:4
`;
    const files = {
      "barn/gate.go":
        "package barn\n\ntype Gate struct {\n\tWidth int\n}\n\nfunc (g *Gate) Open(cow int) int {\n\treturn g.Width - cow\n}\n",
      "barn/lead.go":
        "package barn\n\nfunc Lead(yard *Yard, herd []Cow) int {\n\treturn yard.Gate.Open(herd[0].Width)\n}\n",
    };
    const steps = stepsOf((await traced(panic, files)).signals);
    expect(steps).toContain("property barn/lead.go:4");
    expect(steps).not.toContain("iteration barn/lead.go:4");
    const { report } = await investigated(textSubject(panic, files));
    expect(JSON.stringify(report)).not.toContain("herd[0].Width` on");
    expect(JSON.stringify(report.candidates)).not.toMatch(/(?:comes from|depends on) `herd/);
  });
});

describe("a field that was missing", () => {
  const text = `Traceback (most recent call last):
  File "/app/hives.py", line 9, in harvest
    queen.count()
AttributeError: 'NoneType' object has no attribute 'count'
`;
  const files = {
    "hives.py":
      "class Hive:\n    def __init__(self):\n        self.queen = None\n        self.combs = []\n\n    def harvest(self):\n        queen = self.queen\n        self.combs.clear()\n        queen.count()\n",
    "swarm.py": "def settle(hive, queen):\n    if queen.flies:\n        hive.queen = queen\n",
  };

  it("is listed with every place that sets it, in whichever file", async () => {
    const { report } = await investigated(textSubject(text, files));
    const [, set = ""] = /## Where the value is set\n\n([\s\S]*?)\n\n## /.exec(report.detailed_analysis) ?? [];
    expect(set).toContain("`hives.py:3`");
    expect(set).toContain("`settle` (`swarm.py:3`)");
  });

  it("isn't said to be set nowhere else, as an object may be made with it", async () => {
    const made = {
      "hives.js":
        "const make = (queen) => ({ queen });\nfunction harvest(hive) {\n  return hive.queen.count();\n}\nfunction leave(hive) {\n  hive.queen = undefined;\n}\n",
    };
    const error =
      "TypeError: Cannot read properties of undefined (reading 'count')\n    at harvest (/app/hives.js:3:21)\n";
    const { report } = await investigated(textSubject(error, made));
    expect(report.detailed_analysis).toContain("Code that sets a field named `queen`:\n\n- `leave` (`hives.js:6`)");
    expect(report.detailed_analysis).not.toContain("Only this line");
  });

  it("isn't listed if too many places set a field of its name", async () => {
    const many = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((one) => [`f${one}.py`, `def set${one}(x):\n    x.queen = 1\n`]),
    );
    const { report } = await investigated(textSubject(text, { ...files, ...many }));
    expect(report.detailed_analysis).not.toContain("Where the value is set");
  });
});
