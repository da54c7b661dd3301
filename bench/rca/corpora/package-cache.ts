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

/** Which registry a package is from: npm for JavaScript and TypeScript, PyPI for Python, the module proxy for Go. */
export type Registry = "npm" | "pypi" | "go";

/** The folder in which `spec` (`name@version`) is unpacked, once it was fetched. */
export function unpackedFolder(registry: Registry, spec: string): string {
  return join(cacheFolder, "packages", registry, spec.replaceAll("/", "+"));
}

/** Fetches and unpacks what the cache lacks, without running any script of a package. */
export async function fetchPackages(registry: Registry, specs: readonly string[]): Promise<void> {
  const missing = [...new Set(specs)].filter((spec) => !existsSync(unpackedFolder(registry, spec)));
  for (let start = 0; start < missing.length; start += packagesPerCall) {
    await fetchAll(registry, missing.slice(start, start + packagesPerCall));
  }
}

async function fetchAll(registry: Registry, specs: readonly string[]): Promise<void> {
  try {
    await fetchers[registry](specs);
  } catch (error) {
    // One version that was withdrawn fails the whole call.
    const [only] = specs;
    if (specs.length === 1) throw new Error(`${only} could not be fetched`, { cause: error });
    for (const spec of specs) await fetchAll(registry, [spec]).catch(() => undefined);
  }
}

const fetchers: Record<Registry, (specs: readonly string[]) => Promise<void>> = {
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

  async pypi(specs) {
    const folder = newFolder();
    const requirementOf = (spec: string): string => spec.replace("@", "==");
    try {
      await run("python3", [join(import.meta.dirname, "fetch-sdist.py"), folder, ...specs.map(requirementOf)]);
      for (const spec of specs) {
        const [archive] = globSync("*.{tar.gz,tgz,zip,tar.bz2}", { cwd: join(folder, requirementOf(spec)) });
        if (archive !== undefined)
          await unpack(join(folder, requirementOf(spec), archive), unpackedFolder("pypi", spec));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

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

function newFolder(): string {
  mkdirSync(cacheFolder, { recursive: true });
  return mkdtempSync(join(cacheFolder, "fetch-"));
}

/** Unpacked beside its place and renamed, so that a folder that exists is complete. */
async function unpack(archive: string, target: string): Promise<void> {
  const partial = `${archive}.unpacked`;
  mkdirSync(partial, { recursive: true });
  if (archive.endsWith(".zip")) await run("unzip", ["-q", archive, "-d", partial]);
  else await run("tar", ["-xf", archive, "-C", partial, "--strip-components=1", "--no-same-owner"]);
  // Old archives hold folders that even their owner may not enter.
  await run("chmod", ["-R", "u+rwX,a+rX", partial]);
  mkdirSync(join(target, ".."), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(partial, target);
}
