import { runtimeName } from "../../runtime/runtime-name.ts";
import { spoolFolderPath } from "./spool-folder.ts";

/**
 * Returns the spool's folder for a program that names none: below the system's temporary folder. Undefined where the
 * program may not use it: Deno would ask the user, and Node's permission model would refuse.
 */
export function defaultSpoolFolder(): string | undefined {
  if (runtimeName() === "deno") return undefined;
  const folder = spoolFolderPath(undefined);
  const { permission } = process;
  const isAllowed =
    permission === undefined || (permission.has("fs.read", folder) && permission.has("fs.write", folder));
  return isAllowed ? folder : undefined;
}
