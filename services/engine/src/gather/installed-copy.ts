import { type Language, tableOf } from "../source/languages/languages.ts";

/** A folder that is named after a version, as in `site_ruby/2.5.0/`. */
const versionFolder = /^[^/]*\d\.[^/]*\//;

/** A repository may keep a package in a folder of another name; with fewer folders below it, a path is any package's. */
const foldersBelowMin = 2;

/**
 * Returns whether a path on a stack can be where a project's file was installed. Packages are installed without the
 * folder that their repository has them in, and others with folders that the repository hasn't: one path is the end of
 * the other, the name of the package's folder aside.
 */
export function isInstalledCopy(printed: string, path: string, language: Language | null): boolean {
  const own = `/${path}`;
  const inHomes = pathsInHomes(printed, language);
  const ends = [...inHomes, ...inHomes.flatMap(belowPackage)];
  return `/${printed}`.endsWith(own) || ends.some((end) => own.endsWith(`/${end}`));
}

function belowPackage(inHome: string): string[] {
  const below = inHome.split("/").slice(1);
  return below.length > foldersBelowMin ? [below.join("/")] : [];
}

/** Returns the ends of a path below the folders that its language keeps installed code in, each in a folder at least. */
function pathsInHomes(printed: string, language: Language | null): string[] {
  const path = `/${printed.replace(/^\/+/, "")}`;
  const { runtimeFolders, dependencyFolders } = tableOf(language).homes;
  const starts = [...runtimeFolders, ...dependencyFolders].flatMap((folder) => {
    const at = folder === "" ? -1 : path.lastIndexOf(folder);
    return at < 0 ? [] : [path.indexOf("/", at + folder.length - 1) + 1];
  });
  const ends = [1, ...starts].map((start) => path.slice(start).replace(versionFolder, ""));
  return ends.filter((end) => end.includes("/"));
}
