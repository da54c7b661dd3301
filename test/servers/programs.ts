import { accessSync, constants, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where Debian puts servers, beside what PATH names. */
const serverFolders = ["/usr/sbin", "/usr/bin", "/usr/lib/postgresql/*/bin"];

/** The path of a program, or an error that names the Debian package which has it. */
export function findProgram(name: string, debianPackage: string): string {
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...serverFolders.flatMap((glob) => globSync(glob).sort().reverse()),
  ];
  const found = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (found === undefined) throw new Error(`${name} is not installed: apt-get install ${debianPackage}`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
