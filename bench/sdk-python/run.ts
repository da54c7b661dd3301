import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable, table } from "../table.ts";
import { install } from "./environment.ts";
import { deadBackend } from "./questions/dead-backend.ts";
import { inProcess } from "./questions/in-process.ts";
import { served } from "./questions/served.ts";

const questions = { "in-process": inProcess, served, dead: deadBackend };

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "4" },
    errors: { type: "string", default: "3000" },
    only: { type: "string", default: Object.keys(questions).join() },
    markdown: { type: "boolean", default: false },
  },
});

install();
const folder = mkdtempSync(join(tmpdir(), "whence-bench-python-"));
try {
  const effort = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    errors: Number(values.errors),
    folder,
  };
  for (const [name, ask] of Object.entries(questions)) {
    if (!values.only.split(",").includes(name)) continue;
    const { title, headings, rows } = await ask(effort);
    console.log(`\n${title}\n\n${values.markdown ? markdownTable(headings, rows) : table(headings, rows)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
