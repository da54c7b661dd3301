import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { logSection, type OwnCase, type OwnRecord, readOwnCases } from "./own-case.ts";

const timeoutMs = 60_000;
/** The Node that runs the JavaScript cases; the benchmark of real failures was recorded with 20. */
const runtime = process.env.RCABENCH_NODE ?? process.execPath;
const logUnitsMax = 20_000;

/** Runs the cases without a log, or the named one, and writes their stderr into them. */
for (const own of readOwnCases()) {
  const wanted = process.argv[2];
  if (wanted === undefined ? own.errorLog !== undefined : !own.path.includes(wanted)) continue;
  const log = run(own);
  const text = readFileSync(own.path, "utf8").split(new RegExp(`^==== ${logSection}$`, "m"))[0] ?? "";
  writeFileSync(own.path, `${text}==== ${logSection}\n${log.trimEnd()}\n`);
  console.log(`${own.path}\n${log}`);
}

function run({ files, record }: OwnCase): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "whence-rca-case-")));
  try {
    for (const { name, content } of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    // A case may drop its privileges and then read its own files.
    spawnSync("chmod", ["-R", "a+rX", folder]);
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, TMPDIR: tmpdir(), NODE_ENV: "production", ...record.env };
    const [program = "", ...given] = commandOf(record);
    const { stderr } = spawnSync(program, given, { cwd: folder, env, encoding: "utf8", timeout: timeoutMs });
    const tidy = stderr.replaceAll(folder, "/app").replaceAll(`${tmpdir()}/`, "/tmp/");
    return tidy.replaceAll(dirname(dirname(process.execPath)), "/usr/local").slice(0, logUnitsMax);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandOf({ entry, shell, node = [] }: OwnRecord): string[] {
  return shell === undefined ? [runtime, ...node, entry ?? ""] : ["sh", "-c", shell];
}
