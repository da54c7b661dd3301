import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";

const folder = import.meta.dirname;
const names = globSync("*/run.ts", { cwd: folder })
  .map((path) => path.split("/")[0] ?? path)
  .sort();
const [wanted, ...options] = process.argv.slice(2);

if (wanted !== undefined && !names.includes(wanted)) {
  console.error(`no benchmark ${wanted}; there are: ${names.join(", ")}`);
  process.exit(2);
}

for (const name of wanted === undefined ? names : [wanted]) {
  console.error(`\n${name}\n${"=".repeat(name.length)}`);
  const program = join(folder, name, "run.ts");
  const { status } = spawnSync(process.execPath, [...process.execArgv, program, ...options], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
