import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ownCases, readOwnCases } from "../rca/own-case.ts";
import { type Proven, proveFailing } from "./prove-case.ts";

/** Our own cases in a language, which no operator made; their names, in the order of the files. */
export function ownNames(language: string): string[] {
  return ownCases().flatMap(({ id, language: own }) => (own === language ? [id] : []));
}

/** Proves one of our own cases. Null when its program passes or no report was written. */
export async function proveOwn(name: string): Promise<Proven | null> {
  const recorded = ownCases().find(({ id }) => id === name);
  const own = readOwnCases().find(({ path }) => path.endsWith(`/${name}.txt`));
  if (!recorded || !own) return null;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "whence-prove-own-")));
  try {
    for (const { name: file, content } of own.files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    const { shell, node = [], entry = "", env } = own.record;
    const command = shell === undefined ? [process.execPath, ...node, entry] : ["sh", "-c", shell];
    const { PATH, HOME } = process.env;
    const environment = { PATH, HOME, TMPDIR: tmpdir(), NODE_ENV: "production", ...env };
    const { id, group, truth, also } = recorded;
    const places = also.map((one) => ({ function: "", line_start: 0, line_end: -1, ...one }));
    return await proveFailing({
      id,
      group,
      truth,
      also: places,
      operator: truth.category,
      command,
      folder,
      environment,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
