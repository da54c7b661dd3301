import { existsSync } from "node:fs";
import { fetchPackages, unpackedFolder } from "../corpora/package-cache.ts";
import type { Ecosystem, Pair } from "./ecosystem.ts";
import { difference, packageFiles } from "./package-files.ts";

/** The maximum number of stretches of versions, spread evenly over the package's history. */
const stretchesMax = 10;
/** Where in a package's history versions are checked for tests. */
const probeShares = [0.04, 0.25, 0.5, 0.75, 0.97];
/** Releases per stretch: a look at its ends shows whether it is worth more. */
const releasesPerStretch = 6;

/** Consecutive versions. */
export interface Stretch {
  readonly versions: readonly string[];
  /** The first and the last of them, as if they were adjacent. */
  readonly ends: Pair;
}

/** Sorts numeric versions. */
export function inOrder(versions: readonly string[]): string[] {
  const numbers = (version: string): number[] => version.split(".").map(Number);
  return versions.toSorted((left, right) => {
    const [a, b] = [numbers(left), numbers(right)];
    const index = a.findIndex((number, position) => number !== (b[position] ?? 0));
    return index < 0 ? a.length - b.length : (a[index] ?? 0) - (b[index] ?? 0);
  });
}

/** Returns stretches worth running, newest first; none when the package publishes no tests. */
export async function stretchesOf(ecosystem: Ecosystem, name: string): Promise<Stretch[]> {
  const versions = await ecosystem.publishedVersions(name);
  const chosen = chooseStretches(await versionsWithTests(ecosystem, name, versions));
  await fetchPackages(
    ecosystem.archive,
    [...new Set(chosen.flatMap((stretch) => [stretch.at(0), stretch.at(-1)]))].map((version) => `${name}@${version}`),
  );
  const newest = unpackedFolder(ecosystem.archive, `${name}@${chosen.at(-1)?.at(-1)}`);
  const group = existsSync(newest) ? (ecosystem.repositoryOf(newest) ?? name) : name;
  return chosen.reverse().flatMap((stretch) => stretchOf({ ecosystem, name, group }, stretch));
}

function stretchOf(named: Pick<Pair, "ecosystem" | "name" | "group">, versions: readonly string[]): Stretch[] {
  const [older = "", newer = ""] = [versions.at(0), versions.at(-1)];
  return compare({ ...named, older, newer, tester: newer }).map((ends) => ({ versions, ends }));
}

/** Returns the newer and the older half of a stretch; none when it can't be halved. */
export async function halvesOf({ versions, ends }: Stretch): Promise<Stretch[]> {
  if (versions.length < 3) return [];
  const middle = Math.floor(versions.length / 2);
  await fetchPackages(ends.ecosystem.archive, [`${ends.name}@${versions[middle]}`]);
  return [versions.slice(middle), versions.slice(0, middle + 1)].flatMap((half) => stretchOf(ends, half));
}

/** Returns the consecutive versions of a stretch whose code differs, to be run with the last one's tests. */
export async function pairsWithin({ versions, ends }: Stretch, tests: readonly string[]): Promise<Pair[]> {
  const { ecosystem, name, group, newer: tester } = ends;
  await fetchPackages(
    ecosystem.archive,
    versions.map((version) => `${name}@${version}`),
  );
  return versions.slice(1).flatMap((newer, index) => {
    const found = compare({ ecosystem, name, group, older: versions[index] ?? newer, newer, tester }, tests);
    return found.filter(({ changed }) => changed.length <= changedFilesMax);
  });
}

/** Splits versions into stretches; each begins with the last version of the one before. */
function chooseStretches(versions: readonly string[]): string[][] {
  const count = Math.ceil(Math.max(0, versions.length - 1) / releasesPerStretch);
  const all = Array.from({ length: count }, (_, index) =>
    versions.slice(index * releasesPerStretch, (index + 1) * releasesPerStretch + 1),
  );
  const step = Math.max(1, all.length / stretchesMax);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, stretchesMax);
}

/** Returns the versions between the first and the last with tests: many packages published their tests for a while. */
async function versionsWithTests(ecosystem: Ecosystem, name: string, versions: readonly string[]): Promise<string[]> {
  const probes = [...new Set(probeShares.map((share) => Math.round(share * (versions.length - 1))))];
  const specOf = (index: number): string => `${name}@${versions[index]}`;
  await fetchPackages(ecosystem.archive, probes.map(specOf));
  const hasTests = probes.map((index) => {
    const folder = unpackedFolder(ecosystem.archive, specOf(index));
    return existsSync(folder) && packageFiles(folder).some(ecosystem.isRunnable);
  });
  const [first, last] = [hasTests.indexOf(true), hasTests.lastIndexOf(true)];
  if (first < 0) return [];
  return versions.slice(probes[first - 1] ?? 0, (probes[last + 1] ?? versions.length - 1) + 1);
}

const testsMax = 8;
const changedFilesMax = 60;

/** Compares a pair of fetched versions; none when their code doesn't differ. */
export function compare(
  pair: Pick<Pair, "ecosystem" | "name" | "group" | "older" | "newer" | "tester">,
  tests?: readonly string[],
): Pair[] {
  const { ecosystem } = pair;
  const folderOf = (version: string): string => unpackedFolder(ecosystem.archive, `${pair.name}@${version}`);
  const unpacked = { older: folderOf(pair.older), newer: folderOf(pair.newer), tester: folderOf(pair.tester) };
  // A withdrawn version isn't in the cache.
  if (!Object.values(unpacked).every((folder) => existsSync(folder))) return [];
  const [olderFolder, newerFolder] = [ecosystem.codeFolder(unpacked.older), ecosystem.codeFolder(unpacked.newer)];
  try {
    const code = difference(olderFolder, newerFolder, ecosystem.isRuntimeCode);
    const chosen = tests ?? testsFor(ecosystem, unpacked);
    if (code.changed.length === 0 || chosen.length === 0) return [];
    return [{ ...pair, unpacked, olderFolder, newerFolder, ...code, tests: chosen }];
  } catch {
    // The archive can't be read, for example because it contains dangling links.
    return [];
  }
}

/** Returns the tests that changed; all of them when the files they read did. */
function testsFor({ isTestPath, isRunnable }: Ecosystem, { older, tester }: Pair["unpacked"]): string[] {
  const { changed, added } = difference(older, tester, isTestPath);
  const touched = [...changed, ...added];
  const rest = touched.every(isRunnable) ? [] : packageFiles(tester).filter(isRunnable);
  return [...new Set([...touched.filter(isRunnable), ...rest])].slice(0, testsMax);
}
