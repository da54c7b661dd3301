import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A client under measurement, as passed to the programs. */
export interface Adapter {
  readonly id: string;
  readonly file: string;
  /** The folder in which its packages are installed. */
  readonly folder: string;
}

/** Other clients: a folder of adapters, and one in which each has the folder of its packages. */
export interface Peers {
  readonly adapters: string;
  readonly installed: string;
}

const root = join(import.meta.dirname, "../..");

/** Installs our package from its own tarball into `folder`, and returns the clients to measure, the baseline first. */
export function adaptersIn(folder: string, peers: Peers | undefined): Adapter[] {
  const installed = join(folder, "whence");
  unpackOurs(installed);
  const own = ["none", "floor", "whence", "whence-register"].map((id) => ({
    id,
    file: join(import.meta.dirname, "adapters", `${id}.cjs`),
    folder: installed,
  }));
  return peers ? [...own, ...peerAdapters(peers)] : own;
}

/** Returns the size of an installed client on disk. */
export function installedBytes({ folder }: Adapter): { bytes: number; packages: number } {
  const files = globSync("node_modules/**", { cwd: folder })
    .map((file) => statSync(join(folder, file)))
    .filter((file) => file.isFile());
  const packages = globSync("node_modules/{*,@*/*}/package.json", { cwd: folder }).length;
  return { bytes: files.reduce((sum, { size }) => sum + size, 0), packages };
}

function unpackOurs(folder: string): void {
  const target = join(folder, "node_modules", "@whence", "node");
  mkdirSync(target, { recursive: true });
  const tarball = join(folder, "whence-node.tgz");
  execFileSync("npx", ["-y", "pnpm@12", "pack", "--out", tarball], { cwd: join(root, "sdks/node"), stdio: "ignore" });
  execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
}

function peerAdapters({ adapters, installed }: Peers): Adapter[] {
  const load = createRequire(import.meta.url);
  return globSync("*.cjs", { cwd: adapters })
    .filter((name) => !/^(none|floor|_)/.test(name))
    .map((name) => {
      const file = join(adapters, name);
      const id = name.replace(/\.cjs$/, "");
      const { installAs = id }: { installAs?: string } = load(file);
      return { id, file, folder: join(installed, installAs) };
    })
    .filter(({ folder }) => existsSync(folder));
}
