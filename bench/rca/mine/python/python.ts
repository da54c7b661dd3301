import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import type { CorpusCase } from "../../corpora/corpus-case.ts";
import type { Ecosystem, Environment } from "../ecosystem.ts";
import { inOrder } from "../versions.ts";
import { installedVersions, installTools, prepare, sitePackages } from "./environment.ts";
import { functionsOf } from "./named-function.ts";
import { codeFolder, isRunnable, isRuntimeCode, isTestPath, repositoryOf } from "./package-files.ts";
import { rules } from "./rules.ts";
import { asServiceLog, filesIn } from "./service-log.ts";
import { installHarness, runTests } from "./test-run.ts";

const run = promisify(execFile);

async function publishedVersions(name: string): Promise<string[]> {
  const { stdout } = await run("python3", ["-m", "pip", "index", "versions", name, "--disable-pip-version-check"]);
  const versions = /^Available versions: (.+)$/m.exec(stdout)?.[1] ?? "";
  return inOrder(versions.split(", ").filter((version) => /^\d+(\.\d+){0,3}$/.test(version)));
}

async function start(): Promise<void> {
  installHarness();
  await installTools();
}

const topOf = (file: string): string | undefined =>
  file.startsWith(`${sitePackages}/`) ? file.slice(sitePackages.length + 1).split("/")[0] : undefined;

/** Returns the packages of the stack, nearest first, then all others that are installed. */
function packagesNear({ app, pair: { olderFolder } }: Environment, files: readonly string[]): string[] {
  const folders = readdirSync(join(app, sitePackages)).filter((name) => !/\.(dist|egg)-info$|^__|^bin$/.test(name));
  const own = folders.filter((name) => existsSync(join(olderFolder, name)));
  const tops = [...files.flatMap((file) => topOf(file) ?? []), ...own, ...folders];
  return [...new Set(tops)].map((top) => `${sitePackages}/${top}`);
}

function sourceOf({ app, pair }: Environment, file: string): CorpusCase["sources"][number] | undefined {
  const { name, older, tester, unpacked, olderFolder } = pair;
  const top = topOf(file);
  if (top === undefined) {
    const part = file.includes("/") ? file.replace(/\/[^/]*$/, "") : file;
    return { folder: part, from: `${name}@${tester}:${part}` };
  }
  const place = join(olderFolder, top);
  if (existsSync(place))
    return { folder: `${sitePackages}/${top}`, from: `${name}@${older}:${relative(unpacked.older, place)}` };
  const from = installedVersions(app).get(top);
  return from === undefined ? undefined : { folder: sitePackages, from };
}

/** PyPI packages, tested with pytest. */
export const python: Ecosystem = {
  language: "python",
  archive: "sdist",
  rules,
  ignoresWhiteSpace: false,
  publishedVersions,
  repositoryOf,
  codeFolder,
  isTestPath,
  isRunnable,
  isRuntimeCode,
  start,
  prepare,
  runTests,
  asServiceLog,
  functionsOf,
  filesIn,
  packagesNear,
  sourceOf,
};
