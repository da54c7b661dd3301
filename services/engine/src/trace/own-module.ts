import { pathIn } from "../source/path-index.ts";
import type { Codebase } from "./code/codebase.ts";
import { specifiersOf } from "./code/modules.ts";
import type { Program } from "./code/program.ts";

/** `./a`, `@/a`, `~/a`, `#a`. */
const ownForm = /^(?:\.|[@~]\/|#)/;

/** Returns whether a module is the program's own by how it is named, whether or not its file was given. */
export function isOwnModule(codebase: Codebase, { source, dialect }: Program, module: string): boolean {
  const [first = module, ...others] = module.split(/[./]/);
  const isBelowNamesake = others.length > 0 && source.name.split("/").slice(0, -1).includes(first);
  switch (dialect.ownModules) {
    case "by-form":
      return ownForm.test(module);
    case "by-folder":
      return module.startsWith(".") || isBelowNamesake;
    case "by-host":
      return others.length > 0 && codebase.own().some((one) => hasGivenImport(codebase, one, `${first}/`));
  }
}

/** Returns whether a file imports a package that was given, of the same module. */
function hasGivenImport(codebase: Codebase, program: Program, start: string): boolean {
  return specifiersOf(program).some(
    (one) => one.startsWith(start) && codebase.files.resolve(program.source.name, one) !== null,
  );
}

/** Returns a module as a path from where the program's files are, or as it is written where that is no path. */
export function shownModule({ source }: Program, module: string): string {
  return /^\.{1,2}\//.test(module) ? pathIn(source.name.split("/").slice(0, -1).join("/"), module) : module;
}
