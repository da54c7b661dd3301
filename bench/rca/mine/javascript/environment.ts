import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFolder } from "../../corpora/package-cache.ts";
import type { Environment, Pair } from "../ecosystem.ts";
import { packageFiles } from "../package-files.ts";
import { besideTests, isTestPath, readManifest } from "./package-files.ts";

const run = promisify(execFile);
const installMsMax = 240_000;
const besideTestsMax = 20;
const isCode = /\.[cm]?js$/;
const importPattern = /(?:\brequire\(\s*|\bfrom\s+|\bimport\s+)["']((?:@[^/"']+\/)?[^./"'][^/"']*)/g;
/** Runners that the harness replaces. */
const runners = new Set(["mocha", "tape", "tap", "ava", "jest", "vitest", "test", "@jest/globals", "nyc", "istanbul"]);
/** Matches packages that take too long to install. */
const heavy =
  /^(aws-sdk|browserify|zombie|webpack|puppeteer|phantomjs|karma|selenium-webdriver|gulp|grunt|eslint|jshint|standard|jsdom|restify|babel.*|@babel|sequelize|electron|mongodb|sails)$/;

/**
 * Installs the dependencies of the older version, plus what only the newer one or its tests need. For a first look, an
 * application with the same dependencies in other versions is enough.
 */
export async function prepare(pair: Pair, firstLook = false): Promise<Environment> {
  const needed = dependenciesOf(pair);
  // The tests' dependencies rarely matter to the version, so an application is reused for the same dependencies.
  const same = firstLook ? Object.keys(needed.runtime) : needed.runtime;
  const key = createHash("sha256").update(JSON.stringify(same)).digest("hex").slice(0, 12);
  const app = join(cacheFolder, "mine", `${pair.name.replaceAll("/", "+")}-${key}`);
  const installed = join(app, "node_modules", pair.name);
  if (!existsSync(join(app, "node_modules"))) {
    const all = { ...needed.development, ...needed.runtime };
    // Some dependencies of old tests no longer exist; other tests work without them.
    await install(app, all).catch(() => install(app, needed.runtime));
  }
  rmSync(installed, { recursive: true, force: true });
  cpSync(pair.olderFolder, installed, {
    recursive: true,
    filter: (path) => !isTestPath(relativeTo(pair.olderFolder, path)),
  });
  for (const file of packageFiles(pair.unpacked.tester).filter(isTestPath)) {
    mkdirSync(dirname(join(installed, file)), { recursive: true });
    cpSync(join(pair.unpacked.tester, file), join(installed, file));
  }
  // The tests run unprivileged, and some write to their own folder.
  await run("chmod", ["-R", "a+rwX", installed]);
  const placeOf = (file: string): string => join(file.startsWith("node_modules/") ? app : installed, file);
  return { pair, app, installed, shown: `node_modules/${pair.name}`, placeOf };
}

const relativeTo = (folder: string, path: string): string => path.slice(folder.length + 1);

type Ranges = Record<string, string>;

function dependenciesOf({ name, olderFolder, newerFolder, unpacked, tests }: Pair): {
  runtime: Ranges;
  development: Ranges;
} {
  const [older, newer, tester] = [readManifest(olderFolder), readManifest(newerFolder), readManifest(unpacked.tester)];
  const needed = importsOf(unpacked.tester, tests).filter(
    (module) => !runners.has(module) && !heavy.test(module) && !isShared(module),
  );
  const development = needed.flatMap((module) => {
    const range = tester.devDependencies[module];
    return range === undefined ? [] : [[module, range] satisfies [string, string]];
  });
  const { peerDependencies, optionalDependencies } = newer;
  const runtime = { ...peerDependencies, ...newer.dependencies, ...optionalDependencies, ...older.dependencies };
  /** Ranges that are addresses are skipped, so that the registry's version is used. */
  const published = (ranges: [string, string][]): Ranges =>
    Object.fromEntries(
      ranges
        .filter(([module]) => module !== name)
        .map(([module, range]) => [module, /^[\w.^~<>=|* -]*$/.test(range) ? range : "*"] as const)
        .sort(),
    );
  return { runtime: published(Object.entries(runtime)), development: published(development) };
}

/** The folder in which packages that many tests need are installed once. */
export const toolsFolder = join(cacheFolder, "mine-tools");
const isShared = (module: string): boolean => existsSync(join(toolsFolder, "node_modules", module));

/** Returns the packages that the tests and the files next to them load. */
function importsOf(folder: string, tests: readonly string[]): string[] {
  const beside = packageFiles(folder).filter((file) => isTestPath(file) && besideTests.test(file) && isCode.test(file));
  const found = new Set<string>();
  for (const file of [...tests, ...beside.slice(0, besideTestsMax)]) {
    if (!existsSync(join(folder, file))) continue;
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, module = ""] of text.matchAll(importPattern)) {
      if (!builtinModules.includes(module) && !module.startsWith("node:")) found.add(module);
    }
  }
  // Loaded on the command line rather than by a test.
  const { scripts } = readManifest(folder);
  for (const [, module = ""] of (scripts.test ?? "").matchAll(/(?:-r|--require)[ =]([\w@/-]+)/g)) found.add(module);
  return [...found];
}

/** What many tests need, in versions that run without a build. */
const tools = [
  ...[
    "expect@29",
    "jest-mock@29",
    "chai@4",
    "should@13",
    "expect.js@0.3",
    "sinon@7",
    "sinon-chai@3",
    "better-assert@1",
  ],
  ...["mkdirp@0.5", "rimraf@2", "glob@7", "concat-stream@1", "through@2", "through2@2", "bl@1", "async@2", "lodash@4"],
  ...["underscore@1", "q@1", "bluebird@3", "faucet@0.0.1", "memdown@1", "osenv@0.1", "safe-buffer@5", "proxyquire@2"],
];

/** Installs what the tests of many packages need, once. */
export async function installTools(): Promise<void> {
  if (existsSync(toolsFolder)) return;
  await install(
    toolsFolder,
    Object.fromEntries(tools.map((tool) => [tool.replace(/@[^@]+$/, ""), tool.replace(/^.+@/, "")])),
  );
}

async function install(app: string, dependencies: Ranges): Promise<void> {
  mkdirSync(join(app, "node_modules"), { recursive: true });
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, dependencies }));
  if (Object.keys(dependencies).length === 0) return;
  const options = [
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--legacy-peer-deps",
    "--prefer-offline",
    "--loglevel=error",
  ];
  try {
    await run("npm", ["install", ...options], { cwd: app, timeout: installMsMax });
  } catch (error) {
    rmSync(app, { recursive: true, force: true });
    throw new Error(`the dependencies in ${app} could not be installed`, { cause: error });
  }
}

/** Returns the version of each installed dependency, by its folder below `/app`. */
export function installedVersions(app: string): ReadonlyMap<string, string> {
  const lock = join(app, "node_modules/.package-lock.json");
  if (!existsSync(lock)) return new Map();
  const { packages }: { packages: Record<string, { version?: string; name?: string; link?: boolean }> } = JSON.parse(
    readFileSync(lock, "utf8"),
  );
  return new Map(
    Object.entries(packages).flatMap(([folder, { version }]) => (version === undefined ? [] : [[folder, version]])),
  );
}
