import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** A path with the machine's own Node for a user's npm, since the workspace's may be newer than that npm supports. */
export const userPath: string = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);
const env = { ...process.env, PATH: userPath };
const repository: string = join(import.meta.dirname, "../..");

/** A folder outside of the workspace in which packages were installed from their tarballs. */
export interface InstalledPackages {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Packs our packages as published, and their dependencies as installed here, so that no registry is needed; installs
 * them with npm. `ours` are folders below `sdks`, already built; `theirs` are folders of other packages.
 */
export async function installPackages(ours: readonly string[], theirs: readonly string[]): Promise<InstalledPackages> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "whence-installed-")));
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs);
  for (const name of ours) {
    const cwd = join(repository, "sdks", name);
    if (!existsSync(join(cwd, "dist"))) throw new Error(`sdks/${name} is not built: run pnpm build`);
    await run("npx", ["-y", "pnpm@12", "pack", "--pack-destination", tarballs], { cwd, env });
  }
  for (const their of theirs) {
    const tarball = join(tarballs, `${their.split(/[/\\]/).slice(-2).join("-")}.tgz`);
    await packInstalled(their, tarball);
  }
  await writeFile(join(folder, "package.json"), '{ "name": "consumer", "version": "1.0.0", "private": true }');
  const files = (await readdir(tarballs)).map((name) => join(tarballs, name));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...files], { cwd: folder, env });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Packs a package as it is installed here. */
export async function packInstalled(folder: string, tarball: string): Promise<void> {
  const flags = ["--hard-dereference", "--exclude=node_modules", "--transform=s,^\\.,package,"];
  await run("tar", ["-czf", tarball, ...flags, "-C", folder, "."]);
}

/** Returns the folder of a package that the module at `importer` can import, even if its manifest isn't exported. */
export function packageFolder(importer: string, name: string): string {
  const folders = createRequire(importer).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, "package.json")));
  if (found === undefined) throw new Error(`${importer} cannot import ${name}`);
  return realpathSync(found);
}

/** Returns the binary of another version of Node, which is installed as a package: `node-18`. */
export function nodeBinary(importer: string, name: string): string {
  return join(packageFolder(importer, name), "bin/node");
}
