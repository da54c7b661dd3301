import { accessSync, constants, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian installs servers, in addition to the folders in PATH. */
const serverFolders = ["/usr/sbin", "/usr/bin", "/usr/lib/postgresql/*/bin"];

/** Returns the path of a program; throws an error that names its Debian package when it is missing. */
export function findProgram(name: string, debianPackage: string): string {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...serverFolders.flatMap((glob) => globSync(glob).sort().reverse()),
  ];
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found === undefined) throw new Error(`${name} is not installed: apt-get install ${debianPackage}`);
  return found;
}

/** Returns the path of Helm; throws an error that says how to install it when it is missing. */
export const findHelm = (): string => findDownloaded("Helm", ".helm/helm", "install-helm");

/** Returns the path of nats-server; throws an error that says how to install it when it is missing. */
export const findNatsServer = (): string => findDownloaded("nats-server", ".nats/nats-server", "install-nats");

function findDownloaded(name: string, program: string, script: string): string {
  const path = join(import.meta.dirname, "../../node_modules", program);
  if (isExecutable(path)) return path;
  throw new Error(`${name} is not installed: run test/servers/${script}`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
