import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { z } from "zod";
import { fetchPackages, unpackedFolder } from "../corpora/package-cache.ts";
import {
  besideTests,
  difference,
  isRuntimeCode,
  isTestPath,
  packageFiles,
  readManifest,
  repositoryOf,
} from "./package-files.ts";

const run = promisify(execFile);
/** Stretches of versions that are looked at, spread evenly over the package's history. */
const stretchesMax = 10;
/** Where in a package's history it is seen whether its versions hold tests. */
const probeShares = [0.04, 0.25, 0.5, 0.75, 0.97];
/** Releases from the first to the last version of a stretch: one look at its ends tells whether it is worth more. */
const releasesPerStretch = 6;
const versionList = z.union([z.array(z.string()), z.string().transform((only) => [only])]);

/** Two consecutive published versions whose code and whose tests differ. */
export interface Pair {
  readonly name: string;
  /** `owner/name` of the repository, as the newest version names it. */
  readonly group: string;
  readonly older: string;
  readonly newer: string;
  readonly olderFolder: string;
  readonly newerFolder: string;
  /** The version whose tests run: the newer one, or one not much later. */
  readonly tester: string;
  readonly testerFolder: string;
  /** Files of the package's own code that both have. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
  /** Tests that may know what the older version does wrong. */
  readonly tests: readonly string[];
}

/** Some consecutive versions. */
export interface Stretch {
  readonly versions: readonly string[];
  /** The first and the last of them, as if nothing were between. */
  readonly ends: Pair;
}

/** The published versions without prereleases, oldest first. */
export async function publishedVersions(name: string): Promise<string[]> {
  const { stdout } = await run("npm", ["view", name, "versions", "--json", "--loglevel=error"]);
  const stable = versionList.parse(JSON.parse(stdout)).filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  const numbers = (version: string): number[] => version.split(".").map(Number);
  return stable.sort((left, right) => {
    const [a, b] = [numbers(left), numbers(right)];
    return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0);
  });
}

/** Stretches worth running, newest first; none when the package publishes no tests. */
export async function stretchesOf(name: string): Promise<Stretch[]> {
  const versions = await publishedVersions(name);
  const chosen = chooseStretches(await versionsWithTests(name, versions));
  await fetchPackages(
    "npm",
    [...new Set(chosen.flatMap((stretch) => [stretch.at(0), stretch.at(-1)]))].map((version) => `${name}@${version}`),
  );
  const newest = unpackedFolder("npm", `${name}@${chosen.at(-1)?.at(-1)}`);
  const group = existsSync(newest) ? (repositoryOf(readManifest(newest)) ?? name) : name;
  return chosen.reverse().flatMap((stretch) => {
    const [older = "", newer = ""] = [stretch.at(0), stretch.at(-1)];
    return compare({ name, group, older, newer, tester: newer }).map((ends) => ({ versions: stretch, ends }));
  });
}

/** The consecutive versions of a stretch whose code differs, to be run with the last one's tests. */
export async function pairsWithin({ versions, ends }: Stretch, tests: readonly string[]): Promise<Pair[]> {
  const { name, group, newer: tester } = ends;
  await fetchPackages(
    "npm",
    versions.map((version) => `${name}@${version}`),
  );
  return versions.slice(1).flatMap((newer, index) => {
    const found = compare({ name, group, older: versions[index] ?? newer, newer, tester }, tests);
    return found.filter(({ changed }) => changed.length <= changedFilesMax);
  });
}

/** Each stretch begins with the version that the one before ends with. */
function chooseStretches(versions: readonly string[]): string[][] {
  const count = Math.ceil(Math.max(0, versions.length - 1) / releasesPerStretch);
  const all = Array.from({ length: count }, (_, index) =>
    versions.slice(index * releasesPerStretch, (index + 1) * releasesPerStretch + 1),
  );
  const step = Math.max(1, all.length / stretchesMax);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, stretchesMax);
}

/** Many packages once published their tests and later stopped: the versions between the first and last that have some. */
async function versionsWithTests(name: string, versions: readonly string[]): Promise<string[]> {
  const probes = [...new Set(probeShares.map((share) => Math.round(share * (versions.length - 1))))];
  const specOf = (index: number): string => `${name}@${versions[index]}`;
  await fetchPackages("npm", probes.map(specOf));
  const hasTests = probes.map((index) => {
    const folder = unpackedFolder("npm", specOf(index));
    return existsSync(folder) && packageFiles(folder).some(isTestCode);
  });
  const [first, last] = [hasTests.indexOf(true), hasTests.lastIndexOf(true)];
  if (first < 0) return [];
  return versions.slice(probes[first - 1] ?? 0, (probes[last + 1] ?? versions.length - 1) + 1);
}

const isTestCode = (file: string): boolean => isTestPath(file) && /\.[cm]?js$/.test(file);
const testsMax = 8;
const changedFilesMax = 60;

/** One pair of fetched versions; none when their code does not differ. */
export function compare(
  pair: Pick<Pair, "name" | "group" | "older" | "newer" | "tester">,
  tests?: readonly string[],
): Pair[] {
  const [olderFolder, newerFolder, testerFolder] = [pair.older, pair.newer, pair.tester].map((version) =>
    unpackedFolder("npm", `${pair.name}@${version}`),
  );
  if (olderFolder === undefined || newerFolder === undefined || testerFolder === undefined) return [];
  try {
    const code = difference(olderFolder, newerFolder, isRuntimeCode);
    const chosen = tests ?? testsFor(olderFolder, testerFolder);
    if (code.changed.length === 0 || chosen.length === 0) return [];
    return [{ ...pair, olderFolder, newerFolder, testerFolder, ...code, tests: chosen }];
  } catch {
    // A version that was withdrawn is not in the cache.
    return [];
  }
}

/** Tests that changed; all of them when what they read did. */
function testsFor(olderFolder: string, testerFolder: string): string[] {
  const { changed, added } = difference(olderFolder, testerFolder, isTestPath);
  const touched = [...changed, ...added];
  const runnable = (file: string): boolean => isTestCode(file) && !besideTests.test(file);
  const rest = touched.every(runnable) ? [] : packageFiles(testerFolder).filter(runnable);
  return [...new Set([...touched.filter(runnable), ...rest])].slice(0, testsMax);
}
