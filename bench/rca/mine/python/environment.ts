import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../corpora/package-cache.ts";
import type { Environment, Pair } from "../ecosystem.ts";
import { packageFiles } from "../package-files.ts";
import { codeFolder, isRuntimeCode, isTestPath, readMetadata, requirementsOf } from "./package-files.ts";

const run = promisify(execFile);
const installMsMax = 240_000;
/** The folder of packages, relative to the application. */
export const sitePackages = "venv/lib/python3.11/site-packages";
/** The folder in which packages that many tests need are installed once. */
export const toolsFolder = join(cacheFolder, "mine-python-tools");

/** What many tests need, and the runner. */
const tools = [
  ...["pytest==7.4.4", "pytest-timeout==2.3.1", "pytest-asyncio==0.21.2", "pytest-mock==3.*", "mock==5.*", "six==1.*"],
  ...["pytz", "python-dateutil==2.*", "freezegun==1.*", "hypothesis==6.*", "parameterized==0.9.0", "ddt==1.*"],
  ...["pretend==1.*", "pynose==1.*", "PyYAML==6.*", "simplejson==3.*", "testfixtures==8.*", "setuptools==69.*"],
  ...["lxml==5.*"],
];

/** Installs what the tests of many packages need, once. */
export async function installTools(): Promise<void> {
  if (!existsSync(toolsFolder)) await install(toolsFolder, tools);
}

/** Installs wheels only, which runs no code. */
async function install(target: string, requirements: readonly string[]): Promise<void> {
  mkdirSync(target, { recursive: true });
  if (requirements.length === 0) return;
  const options = ["--only-binary=:all:", "--quiet", "--disable-pip-version-check", "--target", target];
  try {
    await run("python3", ["-m", "pip", "install", ...options, ...requirements], { timeout: installMsMax });
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw new Error(`${requirements.join(", ")} could not be installed`, { cause: error });
  }
}

const nameIn = (requirement: string): string => /^[\w.-]+/.exec(requirement)?.[0] ?? requirement;

/**
 * Installs the older version in `site-packages` with its dependencies, and the newer one's tests where their archive
 * has them.
 */
export async function prepare(pair: Pair, firstLook = false): Promise<Environment> {
  const { unpacked, name, older, olderFolder } = pair;
  const all = [...new Set([...requirementsOf(unpacked.older), ...requirementsOf(unpacked.newer)].map(nameIn))].sort();
  const exact = requirementsOf(unpacked.older);
  const added = all.filter((one) => !exact.some((requirement) => nameIn(requirement) === one));
  const key = createHash("sha256")
    .update(JSON.stringify(firstLook ? all : [exact, added]))
    .digest("hex")
    .slice(0, 12);
  const app = join(cacheFolder, "mine", `python-${name}-${key}`);
  const dependencies = join(app, "dependencies");
  if (!existsSync(dependencies))
    await install(dependencies, [...exact, ...added]).catch(() => install(dependencies, all));
  const installed = join(app, sitePackages);
  for (const entry of readdirSync(app)) if (entry !== "dependencies") rmSync(join(app, entry), { recursive: true });
  mkdirSync(dirname(installed), { recursive: true });
  cpSync(dependencies, installed, { recursive: true, preserveTimestamps: true });
  for (const file of packageFiles(olderFolder)) if (isInstalled(file)) copy(olderFolder, file, installed);
  const metadata = join(installed, `${name.replaceAll("-", "_")}-${older}.dist-info`);
  mkdirSync(metadata, { recursive: true });
  writeFileSync(join(metadata, "METADATA"), readMetadata(unpacked.older));
  const placeOf = (file: string): string => placeIn(app, unpacked.tester, file);
  for (const file of packageFiles(unpacked.tester)) {
    const within = relative(codeFolder(unpacked.tester), join(unpacked.tester, file));
    const isCode = !within.startsWith("..") && isInstalled(within);
    if (!isCode) copy(unpacked.tester, file, placeOf(file), true);
  }
  // The tests run unprivileged, and some write to their own folder.
  await run("chmod", ["-R", "a+rwX", app]);
  return { pair, app, installed, shown: sitePackages, placeOf };
}

/** Whether a file of the code folder is part of a package, or a module. */
function isInstalled(file: string): boolean {
  if (isTestPath(file)) return false;
  return file.includes("/") ? isRuntimeCode(`${file}.py`) && !/^[^/]*\.egg-info\//.test(file) : isRuntimeCode(file);
}

/** Returns where a test goes: tests inside of a package have to stay there; all others are the application's. */
function placeIn(app: string, tester: string, file: string): string {
  if (file.startsWith(`${sitePackages}/`)) return join(app, file);
  const within = relative(codeFolder(tester), join(tester, file));
  const [top = ""] = within.split("/");
  const isInPackage = within !== top && top !== ".." && !isTestPath(`${top}/x`) && isRuntimeCode(`${top}/x.py`);
  return isInPackage ? join(app, sitePackages, within) : join(app, file);
}

function copy(from: string, file: string, to: string, isFile = false): void {
  const target = isFile ? to : join(to, file);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(from, file), target);
}

/** Returns the published package and version of each installed package, by the first part of its path. */
export function installedVersions(app: string): ReadonlyMap<string, string> {
  const folder = join(app, "dependencies");
  return new Map(
    globSync("*.dist-info/RECORD", { cwd: folder }).flatMap((record) => {
      const [, name = "", version = ""] = /^(.+)-([^-]+)\.dist-info/.exec(record) ?? [];
      const files = readFileSync(join(folder, record), "utf8").split("\n");
      const tops = new Set(files.flatMap((line) => /^([^/,]+)(?:\/|,)/.exec(line)?.[1] ?? []));
      return [...tops].map((top) => [top, `${name.replaceAll("_", "-")}@${version}`] as const);
    }),
  );
}
