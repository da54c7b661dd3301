import { listsDependencies } from "@whence/engine";
import { isThirdParty } from "../sources/folder.ts";
import { isReadable } from "../sources/readable-path.ts";

const test =
  /(?:^|\/)(?:tests?|__tests__|specs?|__mocks__|fixtures|e2e)\/|[._-](?:test|spec)\.[a-z]+$|_test\.(?:go|py)$|(?:^|\/)test_[^/]*\.py$/i;

/** Whether a file can matter to a release's users: its code, its data, its lists of dependencies. */
export function isCompared(path: string): boolean {
  if (path.startsWith("/") || path.split("/").some((part) => part.startsWith("."))) return false;
  if (isThirdParty(path) || test.test(path) || path.endsWith(".map")) return false;
  return isReadable(path) || listsDependencies(path);
}
