import { folderOf, foldersAbove, pathIn } from "../path-index.ts";
import type { ImportableFiles, LanguageTable } from "./language.ts";

export const ruby: LanguageTable = {
  files: /\.(?:rb|erb|rake)$/,
  runtimes: ["ruby", "jruby", "truffleruby"],
  homes: {
    runtimeFolders: ["<internal:", "/lib/ruby/2.", "/lib/ruby/3.", "/lib/ruby/1."],
    dependencyFolders: ["/gems/", "/bundler/", "/vendor/bundle/", "/site_ruby/"],
  },
  imports: { written, resolve },
  blockNames: { rb: "ruby" },
};

const required = /^[ \t]*require(_relative)?[ (]+["']([^"'\n]{1,500})["']/gm;

/** Relative paths begin with a dot. */
function written(text: string): string[] {
  return Array.from(text.matchAll(required), ([, relative, name = ""]) =>
    relative && !name.startsWith(".") ? `./${name}` : name,
  );
}

/** The folders of the load path, relative to the program's. */
const loadFolders = ["lib/", "app/", ""];

function resolve(module: string, from: string, { paths }: ImportableFiles): string[] {
  const file = module.endsWith(".rb") ? module : `${module}.rb`;
  const named = file.startsWith(".")
    ? [pathIn(folderOf(from), file)]
    : foldersAbove(from)
        .toReversed()
        .flatMap((folder) => loadFolders.map((one) => pathIn(folder, `${one}${file}`)));
  const found = paths.firstOf(named);
  return found === null ? paths.allEndingWith(file.replace(/^(?:\.\.?\/)+/, "")) : [found];
}
