import { folderOf, type PathIndex } from "../path-index.ts";
import type { ImportableFiles, LanguageTable } from "./language.ts";

/** The standard library's packages that aren't within a folder. */
const standardPackages =
  "bufio bytes cmp context crypto embed encoding errors expvar flag fmt hash html image io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings sync syscall testing time unicode unique unsafe".split(
    " ",
  );
/** Its folders that only hold packages: with a dot, such a word is the start of a host, as of `go.uber.org`. */
const standardFolders = "archive compress container database debug go index text".split(" ");

export const go: LanguageTable = {
  files: /\.go$/,
  runtimes: ["go"],
  homes: {
    runtimeFolders: ["/usr/local/go/src/", "/usr/lib/go", "/libexec/src/", "/go/src/runtime/", "/sdk/go1"],
    dependencyFolders: ["/pkg/mod/", "/vendor/", "@v"],
    // A module can't have the name of a standard package, wherever Go is installed.
    runtimePackages: [
      ...standardPackages.flatMap((name) => [`${name}.`, `${name}/`]),
      ...standardFolders.map((name) => `${name}/`),
    ],
  },
  imports: { written, resolve, unsaid: (from, _, paths) => filesIn(folderOf(from), paths) },
  hidesType: true,
  isTrainedAsCompiled: true,
};

const imported = /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w./~-]{1,500})"[ \t]*$/gm;

function written(text: string): string[] {
  return Array.from(text.matchAll(imported), ([, name = ""]) => name);
}

/**
 * Returns the files of the folders that share the longest end of the import's path. The part before it is the module's
 * name.
 */
function resolve(module: string, _: string, { paths }: ImportableFiles): string[] {
  const segments = module.split("/");
  if (segments.length === 1) return [];
  const ends = segments
    .map((__, at) => segments.slice(at).join("/"))
    // The host in a module's name isn't a folder.
    .filter((end, at) => at > 0 || !end.includes("."));
  const folders = ends.map((end) => paths.foldersEndingWith(end)).find((some) => some.length > 0) ?? [];
  return folders.flatMap((folder) => filesIn(folder, paths));
}

function filesIn(folder: string, paths: PathIndex): string[] {
  return paths.inFolder(folder).filter((file) => file.endsWith(".go") && !file.endsWith("_test.go"));
}
