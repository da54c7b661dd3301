import { runtimeName } from "../../runtime/runtime-name.ts";
import { spoolFolderPath, spoolObstacle } from "./spool-folder.ts";

/** The place where events are spooled: a folder, or none and the reason. */
export type SpoolPlace =
  | { readonly folder: string; readonly off?: undefined }
  | { readonly folder?: undefined; readonly off: string };

/** Returns a heartbeat's description of the spool: the folder, or why events are kept in memory only. */
export function spoolStateOf({ folder, off }: SpoolPlace): { spool_folder: string } | { spool_off: string } {
  if (folder === undefined) return { spool_off: off };
  const obstacle = spoolObstacle(folder);
  return obstacle === undefined ? { spool_folder: folder } : { spool_off: obstacle };
}

/**
 * Returns the default spool, below the system's temporary folder. None where the program may not use it: Deno would ask
 * the user, and Node's permission model would refuse.
 */
export function defaultSpool(): SpoolPlace {
  if (runtimeName() === "deno") return { off: "Deno would ask for permission" };
  const folder = spoolFolderPath(undefined);
  const { permission } = process;
  const isAllowed =
    permission === undefined || (permission.has("fs.read", folder) && permission.has("fs.write", folder));
  return isAllowed ? { folder } : { off: `--permission doesn't allow ${folder}` };
}
