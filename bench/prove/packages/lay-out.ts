import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheFolder, fetchPackages, unpackedFolder } from "../../rca/corpora/package-cache.ts";
import { clonesFolder } from "../../rca/pasted/clone.ts";
import type { TestedPackage } from "./tested-package.ts";

/** The tree of a package, and how its tests run there. */
export interface LaidOut {
  readonly folder: string;
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

const python = "/usr/bin/python3";
const downloadMs = 600_000;

/** Fetches a package with its tests and what these need, once into the cache. */
export async function layOut(one: TestedPackage): Promise<LaidOut> {
  const whole = join(cacheFolder, "tested-packages", `${one.name}@${one.version}`);
  const [folder, installed, home] = [join(whole, one.name), join(whole, "site-packages"), join(whole, "home")];
  if (!existsSync(whole)) {
    mkdirSync(dirname(whole), { recursive: true });
    const partial = mkdtempSync(`${whole}-`);
    const tree = join(partial, one.name);
    mkdirSync(join(partial, "home"));
    if (one.language === "python") await layOutPython(one, tree, join(partial, "site-packages"));
    else layOutNode(one, tree);
    renameSync(partial, whole);
  }
  const { LANG = "C.UTF-8" } = process.env;
  const environment = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    ...{ HOME: home, TMPDIR: home, LANG, TZ: "UTC", NO_COLOR: "1" },
    ...(one.language === "python" && {
      PYTHONPATH: [join(folder, one.path), installed].join(delimiter),
      PYTHONHASHSEED: "0",
      PYTHONDONTWRITEBYTECODE: "1",
    }),
  };
  const [program = "", ...rest] = one.test;
  return { folder, command: [program === "python3" ? python : program, ...rest], environment };
}

async function layOutPython({ name, version, install }: TestedPackage, tree: string, installed: string): Promise<void> {
  await unpackRelease(name, version, tree);
  mkdirSync(installed);
  const wanted = Object.entries(install).map(([one, its]) => `${one}==${its}`);
  if (wanted.length === 0) return;
  const options = ["--quiet", "--disable-pip-version-check", "--only-binary=:all:", "--target", installed];
  execFileSync(python, ["-m", "pip", "install", ...options, ...wanted], { timeout: downloadMs, stdio: "inherit" });
}

/** Writes the files of a release's source archive. */
export async function unpackRelease(name: string, version: string, tree: string): Promise<void> {
  const spec = `${name}@${version}`;
  const [failed] = await fetchPackages("sdist", [spec]);
  if (failed) throw failed;
  cpSync(unpackedFolder("sdist", spec), tree, { recursive: true });
}

function layOutNode(one: TestedPackage, tree: string): void {
  mkdirSync(tree);
  if ("repository" in one) checkOut(one.repository, one.commit, tree);
  const apart = `${tree}.installed`;
  mkdirSync(apart);
  // The package's own manifest asks for what builds and publishes it, too.
  writeFileSync(join(apart, "package.json"), JSON.stringify({ private: true, dependencies: one.install }));
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  execFileSync("npm", ["install", ...options], { cwd: apart, timeout: downloadMs, stdio: "inherit" });
  const modules = join(apart, "node_modules");
  if (existsSync(modules)) renameSync(modules, join(tree, "node_modules"));
  rmSync(apart, { recursive: true });
}

/** Writes the files of a commit: of a clone that is there, or fetched from GitHub. */
export function checkOut(repository: string, commit: string, tree: string): void {
  const known = cloneOf(repository);
  const clone = known ?? `${tree}.git`;
  const git = (...parameters: string[]): Buffer =>
    execFileSync("git", ["-C", clone, ...parameters], { timeout: downloadMs, maxBuffer: archiveBytesMax });
  if (known === undefined) {
    mkdirSync(clone);
    git("init", "--quiet");
    git("fetch", "--quiet", "--depth=1", `https://github.com/${repository}`, commit);
  }
  execFileSync("tar", ["-x", "-C", tree], { input: git("archive", commit) });
  if (known === undefined) rmSync(clone, { recursive: true });
}

/** The folder of a repository's clone; undefined where there is none. */
export function cloneOf(repository: string): string | undefined {
  const folder = join(clonesFolder() ?? "", repository.replace("/", "+"), "repo");
  return clonesFolder() !== undefined && existsSync(folder) ? folder : undefined;
}

const archiveBytesMax = 500_000_000;
