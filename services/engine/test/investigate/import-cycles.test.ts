import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const log =
  "ReferenceError: Cannot access 'Shape' before initialization\n    at file:///app/circle.mjs:2:29\n    at ModuleJob.run (node:internal/modules/esm/module_job:569:25)\n";
const circle = "import { Shape } from './shape.mjs';\nexport class Circle extends Shape {}\n";
const canvas =
  "import { Circle } from './circle.mjs';\nimport { Shape } from './shape.mjs';\nexport const draw = () => [new Circle(), new Shape()];\n";
const shape = "import { draw } from './canvas.mjs';\nexport class Shape {\n  redraw() {\n    return draw();\n  }\n}\n";
const main = "import { draw } from './canvas.mjs';\ndraw();\n";

describe("a report on a name that isn't initialized", () => {
  it("names the import that closes the cycle, and how to break it", async () => {
    const files = { "main.mjs": main, "canvas.mjs": canvas, "circle.mjs": circle, "shape.mjs": shape };
    const { report } = await investigated(textSubject(log, files));
    expect(report.root_cause.statement).toContain(
      "`shape.mjs:1` imports `./canvas.mjs`, which closes the import cycle `shape.mjs` → `canvas.mjs` → `circle.mjs` → `shape.mjs`",
    );
    expect(report.confidence.score).toBeGreaterThan(0.5);
    expect(report.short_term_solutions.map(({ title }) => title)).toEqual([
      "Remove the import of `./canvas.mjs` at `shape.mjs:1`",
    ]);
  });

  it("is unsure where the given files have no cycle, and says so", async () => {
    const { report } = await investigated(textSubject(log, { "circle.mjs": circle }));
    expect(report.confidence.score).toBeLessThan(0.4);
    expect(report.not_checked).toContain(
      "Imports: no cycle through `circle.mjs` was found in the given files, so it runs through others.",
    );
    expect(JSON.stringify(report.short_term_solutions)).not.toContain("Move the use");
  });
});
