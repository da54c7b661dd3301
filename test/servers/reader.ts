import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { packageFolder, userPath } from "./installed-packages.ts";
import { type PackageRegistry, startPackageRegistry } from "./package-registry.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

/** Matches the addresses that documents show in place of the reader's own. */
const shownAddresses = /http:\/\/127\.0\.0\.1:4000|https:\/\/whence\.example\.com/g;

/**
 * A user who follows the documents on a machine without Whence: an empty home, a running service, and a registry with
 * the packages' dependencies, but none of our packages.
 */
export interface Reader {
  readonly server: ServerProcess;
  readonly registry: PackageRegistry;
  /** The environment of the reader's programs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Each line of the commands that were run, as in the documents. */
  readonly followed: ReadonlySet<string>;
  /** Returns the text of a document, with the address of the reader's service. */
  atServer(text: string): string;
  /** Creates a folder with the given files, by path. */
  folder(files?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs a command of a document in a folder, in a shell; fails unless its exit code is 0. */
  follow(command: string, folder: string): Promise<{ readonly stdout: string; readonly stderr: string }>;
  leave(): Promise<void>;
}

/** Creates a reader. `importer` is a module that can import the packages in the registry; `settings` are the service's. */
export async function startReader(
  importer: string,
  packages: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Reader> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "whence-reader-")));
  const data = join(home, "data");
  await mkdir(data);
  const [server, registry] = await Promise.all([
    freePort().then((port) => startServerProcess(data, port, settings)),
    startPackageRegistry(packages.map((name) => packageFolder(importer, name))),
  ]);
  const environment = {
    PATH: [join(home, "global/bin"), userPath].join(delimiter),
    HOME: home,
    WHENCE_URL: server.url,
    npm_config_registry: registry.url,
    npm_config_prefix: join(home, "global"),
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
  };
  const atServer = (text: string): string => text.replaceAll(shownAddresses, server.url);
  const followed = new Set<string>();
  return {
    server,
    registry,
    environment,
    followed,
    atServer,
    async folder(files = {}) {
      const folder = await mkdtemp(join(home, "folder-"));
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), content);
      }
      return folder;
    },
    follow(command, cwd) {
      for (const line of command.split("\n")) followed.add(line);
      return promisify(execFile)("sh", ["-c", atServer(command)], { cwd, env: environment });
    },
    async leave() {
      await Promise.all([server.end("SIGTERM"), registry.close()]);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Makes a package that is installed for tests importable by the program in a folder. */
export async function linkPackage(folder: string, importer: string, name: string): Promise<void> {
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await symlink(packageFolder(importer, name), join(folder, "node_modules", name));
}
