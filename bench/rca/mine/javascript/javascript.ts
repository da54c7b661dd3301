import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { CorpusCase } from "../../corpora/corpus-case.ts";
import type { Ecosystem, Environment } from "../ecosystem.ts";
import { inOrder } from "../versions.ts";
import { installedVersions, installTools, prepare } from "./environment.ts";
import { functionsOf } from "./named-function.ts";
import { isRunnable, isRuntimeCode, isTestPath, readManifest, repositoryOf } from "./package-files.ts";
import { rules } from "./rules.ts";
import { asServiceLog, filesIn } from "./service-log.ts";
import { installHarness, runTests } from "./test-run.ts";

const run = promisify(execFile);
const versionList = z.union([z.array(z.string()), z.string().transform((only) => [only])]);

async function publishedVersions(name: string): Promise<string[]> {
  const { stdout } = await run("npm", ["view", name, "versions", "--json", "--loglevel=error"]);
  return inOrder(versionList.parse(JSON.parse(stdout)).filter((version) => /^\d+\.\d+\.\d+$/.test(version)));
}

async function start(): Promise<void> {
  installHarness();
  await installTools();
}

const packageOf = (file: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];

/** Returns the packages of the stack, nearest first, then the package's dependencies. */
function packagesNear({ app, pair: { unpacked } }: Environment, files: readonly string[]): string[] {
  const involved = files.flatMap((file) => packageOf(file) ?? []);
  const dependencies = Object.keys(readManifest(unpacked.older).dependencies).map((name) => `node_modules/${name}`);
  return [...new Set([...involved, ...dependencies])].filter((folder) => existsSync(join(app, folder)));
}

function sourceOf({ app, shown, pair }: Environment, file: string): CorpusCase["sources"][number] | undefined {
  const { name, older, tester } = pair;
  const folder = packageOf(file);
  if (folder === undefined) {
    const part = /^[^/]+/.exec(file)?.[0] ?? file;
    return { folder: part, from: `${name}@${tester}:${part}` };
  }
  if (folder === shown) return { folder, from: `${name}@${older}` };
  const version = installedVersions(app).get(folder);
  return version === undefined ? undefined : { folder, from: `${publishedName(app, folder)}@${version}` };
}

/** Returns the published name, since a dependency may be installed under another one. */
function publishedName(app: string, folder: string): string {
  const { name }: { name?: string } = JSON.parse(readFileSync(join(app, folder, "package.json"), "utf8"));
  return name ?? folder.replace(/^.*node_modules\//, "");
}

/** npm packages, tested on Node. */
export const javascript: Ecosystem = {
  language: "javascript",
  archive: "npm",
  rules,
  ignoresWhiteSpace: true,
  publishedVersions,
  repositoryOf,
  codeFolder: (unpacked) => unpacked,
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
