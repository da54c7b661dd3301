import { withoutHomeFolder } from "./home-folder.ts";

/** The folder and the name of a file are enough to know it. */
const partsShown = 2;

/**
 * Returns the end of an absolute path, such as `storefront/money.ts`, without a home folder's name; a path in its
 * repository stays whole.
 */
export function shortPath(file: string): string {
  const isAbsolute = /^(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])/.test(file);
  return isAbsolute ? withoutHomeFolder(file).split(/[\\/]/).slice(-partsShown).join("/") : file;
}
