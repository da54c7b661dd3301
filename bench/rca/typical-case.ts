import { treeOf } from "./case-tree.ts";
import type { RcaCase } from "./cases.ts";
import type { CaseFile } from "./corpora/case-files.ts";

const filesCount = 20;
const fileUnits = 50_000;

/** An investigation of usual size: 20 modules of 50 kB that call each other, and a value that comes in at the far end. */
export function typicalCase(): RcaCase {
  const files = Array.from({ length: filesCount }, (_, index) => moduleAt(index));
  const frames = files
    .slice(0, 8)
    .map(({ name, content }, index) => {
      const line = content.split("\n").findIndex((text) => text.includes("// handed on")) + 1;
      return `    at step${index} (/app/${name}:${line}:16)`;
    })
    .reverse();
  return {
    id: "typical",
    ...{ form: "tree", tree: treeOf(files), isOtherVersion: false },
    ...{ corpus: "cost", group: "typical", kind: "service", language: "javascript", onStack: true },
    errorLog: ["TypeError: Cannot read properties of undefined (reading 'total')", ...frames].join("\n"),
    files,
    truth: {
      file: "src/step-0.js",
      function: "step0",
      line_start: 1,
      line_end: 1,
      category: "unknown",
      depth: 1,
      keywords: [],
    },
    also: [],
  };
}

function moduleAt(index: number): CaseFile {
  const next = index + 1 < filesCount ? index + 1 : 0;
  const lines = [
    `import { step${next} } from "./step-${next}.js";`,
    `export function step${index}(order) {`,
    `  const { basket = {} } = order;`,
    index === 7 ? `  return basket.sum.total; // handed on` : `  return step${next}(order.inner); // handed on`,
    "}",
  ];
  const filler: string[] = [];
  for (let number = 0, units = 0; units < fileUnits; number++) {
    const text = `export async function helper${index}x${number}(input, { limit = ${number}, ...rest } = {}) {
  const found = await input.find((row) => row.id === limit && rest[row.key] !== undefined);
  if (!found) return { id: limit, total: 0, rows: [] };
  return { ...found, total: found.rows.reduce((sum, { price, count }) => sum + price * count, 0) };
}`;
    filler.push(text);
    units += text.length;
  }
  return { name: `src/step-${index}.js`, content: [...lines, ...filler].join("\n") };
}
