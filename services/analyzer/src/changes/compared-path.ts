import { isTestFile } from "@whence/protocol";
import { isThirdParty } from "../sources/folder.ts";
import { isReadable } from "../sources/readable-path.ts";

/** Whether a file can matter to a release's users: its code, its data and settings, its lists of dependencies. */
export function isCompared(path: string): boolean {
  return isReadable(path) && !isThirdParty(path) && !isTestFile(path) && !path.endsWith(".map");
}
