import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where packages are unpacked: `WHENCE_RCA_CACHE`, or a folder beside the other temporary files. */
export const cacheFolder = process.env["WHENCE_RCA_CACHE"] ?? join(tmpdir(), "whence-rca");
const fetchTimeoutMs = 120_000;

/**
 * The folder that holds a published package, fetched when it isn't in the cache yet. Of a Python package it is the
 * content of its wheel, as it lies in `site-packages`.
 *
 * @throws {Error} when the registry's client can't fetch the package.
 */
export function publishedPackage(registry: "npm" | "pypi", nameAndVersion: string): string {
  const folder = join(cacheFolder, registry, nameAndVersion);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const at = nameAndVersion.lastIndexOf("@");
  const name = nameAndVersion.slice(0, at);
  const version = nameAndVersion.slice(at + 1);
  if (registry === "npm") unpackTarball(partial, name, version);
  else unpackWheel(partial, name, version);
  renameSync(partial, folder);
  return folder;
}

function unpackTarball(folder: string, name: string, version: string): void {
  const archive = fetchArchive(folder, "npm", ["pack", "--ignore-scripts", "--silent", `${name}@${version}`]);
  execFileSync("tar", ["-xzf", archive, "--strip-components=1", "--no-same-owner"], { cwd: folder });
  rmSync(join(folder, archive));
}

function unpackWheel(folder: string, name: string, version: string): void {
  const options = ["--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"];
  const archive = fetchArchive(folder, "python3", ["-m", "pip", "download", ...options, `${name}==${version}`]);
  execFileSync("python3", ["-m", "zipfile", "-e", archive, "."], { cwd: folder });
  rmSync(join(folder, archive));
}

function fetchArchive(folder: string, program: string, parameters: readonly string[]): string {
  execFileSync(program, parameters, { cwd: folder, timeout: fetchTimeoutMs, stdio: ["ignore", "ignore", "inherit"] });
  const [archive] = readdirSync(folder);
  if (archive === undefined) throw new Error(`${program} ${parameters.join(" ")} downloaded nothing.`);
  return archive;
}
