import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const outputBytesMax = 64 * 1024 * 1024;
/** How many packages one call of the client fetches. */
const packagesPerCall = 15;

/** Where published packages are unpacked: `WHENCE_RCA_CACHE`, or a folder for temporary files. */
export const cacheFolder = process.env.WHENCE_RCA_CACHE ?? join(tmpdir(), "whence-rca");

/**
 * How a package is published: npm's tarballs for JavaScript and TypeScript; for Python its wheel, as it lies in
 * `site-packages`, or its source archive; modules for Go.
 */
export type Archive = "npm" | "wheel" | "sdist" | "go";

/** The folder in which `spec` (`name@version`) is unpacked, once it was fetched. */
export function unpackedFolder(archive: Archive, spec: string): string {
  return join(cacheFolder, "packages", archive, spec.replaceAll("/", "+"));
}

/**
 * Fetches and unpacks what the cache lacks, without running any script of a package. Returns an error for each that
 * couldn't be fetched: a version may have been withdrawn.
 */
export async function fetchPackages(archive: Archive, specs: readonly string[]): Promise<Error[]> {
  const missing = [...new Set(specs)].filter((spec) => !existsSync(unpackedFolder(archive, spec)));
  const failed: Error[] = [];
  for (let start = 0; start < missing.length; start += packagesPerCall)
    failed.push(...(await fetchAll(archive, missing.slice(start, start + packagesPerCall))));
  return failed;
}

/** One version that was withdrawn fails the whole call, as does a registry that didn't answer: each is tried again. */
async function fetchAll(archive: Archive, specs: readonly string[]): Promise<Error[]> {
  const failed: Error[] = [];
  await fetchers[archive](specs).catch(async () => {
    for (const spec of specs)
      await fetchers[archive]([spec]).catch((cause: unknown) =>
        failed.push(new Error(`${spec} could not be fetched`, { cause })),
      );
  });
  return failed;
}

const fetchers: Record<Archive, (specs: readonly string[]) => Promise<void>> = {
  async npm(specs) {
    const folder = newFolder();
    try {
      const options = ["--pack-destination", folder, "--json", "--ignore-scripts", "--loglevel=error"];
      const { stdout } = await run("npm", ["pack", ...specs, ...options], { maxBuffer: outputBytesMax });
      const packed: { id: string; filename: string }[] = Object.values(JSON.parse(stdout));
      for (const { id, filename } of packed) {
        await unpack(join(folder, filename.replace("@", "").replaceAll("/", "-")), unpackedFolder("npm", id));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  wheel: fetchWheels,
  sdist: fetchSourceArchives,

  async go(specs) {
    for (const spec of specs) {
      const { stdout } = await run("go", ["mod", "download", "-json", spec], { cwd: tmpdir() });
      const { Dir }: { Dir: string } = JSON.parse(stdout);
      const target = unpackedFolder("go", spec);
      mkdirSync(join(target, ".."), { recursive: true });
      await run("cp", ["-r", "--no-preserve=mode", Dir, target]);
    }
  },
};

async function fetchWheels(specs: readonly string[]): Promise<void> {
  for (const spec of specs) {
    const folder = newFolder();
    try {
      const options = ["--no-deps", "--quiet", "--disable-pip-version-check", "--dest", folder, "--only-binary=:all:"];
      await run("python3", ["-m", "pip", "download", spec.replace("@", "=="), ...options]);
      const [file] = globSync("*.whl", { cwd: folder });
      if (file !== undefined) await unpack(join(folder, file), unpackedFolder("wheel", spec));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function fetchSourceArchives(specs: readonly string[]): Promise<void> {
  const folder = newFolder();
  const folderOf = (spec: string): string => join(folder, spec.replace("@", "=="));
  const missing = specs.filter((spec) => !existsSync(unpackedFolder("sdist", spec)));
  try {
    const requirements = missing.map((spec) => spec.replace("@", "=="));
    await run("python3", [join(import.meta.dirname, "fetch-sdist.py"), folder, ...requirements]);
    for (const spec of missing) {
      const [file] = globSync("*.{tar.gz,tgz,zip,tar.bz2}", { cwd: folderOf(spec) });
      if (file !== undefined) await unpack(join(folderOf(spec), file), unpackedFolder("sdist", spec));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const without = missing.filter((spec) => !existsSync(unpackedFolder("sdist", spec)));
  if (without.length > 0) throw new Error(`no source archive of ${without.join(", ")}`);
}

function newFolder(): string {
  mkdirSync(cacheFolder, { recursive: true });
  return mkdtempSync(join(cacheFolder, "fetch-"));
}

/** Unpacked beside its place and renamed, so that a folder that exists is complete. */
async function unpack(archive: string, target: string): Promise<void> {
  const partial = `${archive}.unpacked`;
  mkdirSync(partial, { recursive: true });
  if (/\.(?:whl|zip)$/.test(archive)) await run("unzip", ["-q", archive, "-d", partial]);
  else await run("tar", ["-xf", archive, "-C", partial, "--strip-components=1", "--no-same-owner"]);
  // Old archives hold folders that even their owner may not enter.
  await run("chmod", ["-R", "u+rwX,a+rX", partial]);
  mkdirSync(join(target, ".."), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
}
