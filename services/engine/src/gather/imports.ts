import { posix } from "node:path";
import { folderOf, type PathIndex } from "./path-index.ts";

const scriptEndings = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"];
const scriptImport =
  /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["']((?:\.{1,2}|[@~])(?:\/[^"'\n]{0,500})?)["']/g;
const sourceMapLink = /\/\/[#@] sourceMappingURL=([^\s:]{1,500})\s*$/;
const pythonImport =
  /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([^#\n]{0,500})|import[ \t]+([\w., \t]{1,500}))/gm;
const rubyImport = /^[ \t]*require(_relative)?[ (]+["']([^"'\n]{1,500})["']/gm;
const goImport = /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w./~-]{1,500})"[ \t]*$/gm;
const javaImport = /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]{1,500})[ \t]*;?[ \t]*$/gm;

/**
 * The paths of a service's own code that a file imports, or that belong to the same package where a language imports
 * these unsaid. Read from the text of its lines, so an import in a comment counts too.
 */
export function importsOf(path: string, text: string, index: PathIndex): string[] {
  return [...new Set(found(path, text, index))].filter((one) => one !== path);
}

function found(path: string, text: string, index: PathIndex): string[] {
  const ending = posix.extname(path).slice(1);
  if (scriptEndings.includes(ending)) return scriptImports(path, text, index);
  switch (ending) {
    case "map":
      return originalsOf(path, text).filter((one) => index.has(one));
    case "py":
      return pythonImports(path, text, index);
    case "rb":
      return rubyImports(path, text, index);
    case "go":
      return goImports(path, text, index);
    case "java":
      return javaImports(path, text, index);
    default:
      return [];
  }
}

function firstOf(paths: readonly string[], index: PathIndex): string[] {
  const first = paths.find((path) => index.has(path));
  return first === undefined ? [] : [first];
}

function scriptImports(path: string, text: string, index: PathIndex): string[] {
  const map = sourceMapLink.exec(text.slice(-1_000))?.[1];
  const maps = map === undefined ? [] : firstOf([posix.join(folderOf(path), map)], index);
  return [...maps, ...[...text.matchAll(scriptImport)].flatMap(([, to = ""]) => firstOf(scriptNames(path, to), index))];
}

/** `@/a` and `~/a` are what many projects call files below `src`, or below the root. */
function scriptNames(path: string, specifier: string): string[] {
  const aliased = /^[@~]\/(.*)$/.exec(specifier)?.[1];
  const targets = aliased === undefined ? [posix.join(folderOf(path), specifier)] : [`src/${aliased}`, aliased];
  return targets.flatMap((target) => {
    // TypeScript imports a file by the name of what it compiles to.
    const stem = target.replace(/\.[cm]?jsx?$/, "");
    const stems = stem === target ? [target] : [stem, target];
    const named = stems.flatMap((one) => scriptEndings.map((ending) => `${one}.${ending}`));
    return [target, ...named, ...scriptEndings.map((ending) => `${target}/index.${ending}`)];
  });
}

/** What a source map was made of; those that lie outside of the root are not there. */
function originalsOf(path: string, text: string): string[] {
  try {
    const map: unknown = JSON.parse(text);
    if (typeof map !== "object" || map === null || !("sources" in map) || !Array.isArray(map.sources)) return [];
    const root = "sourceRoot" in map && typeof map.sourceRoot === "string" ? map.sourceRoot : "";
    const names = map.sources.filter((source) => typeof source === "string");
    return names.map((source) => posix.join(folderOf(path), root, source.replace(/^[\w-]{1,20}:\/\/\/?/, "")));
  } catch {
    return [];
  }
}

/** A module is looked for from each folder above the file, the nearest first: one of them is the root of imports. */
function pythonImports(path: string, text: string, index: PathIndex): string[] {
  const folders = foldersAbove(path);
  const moduleAt = (name: string, from: readonly string[]): string[] =>
    firstOf(
      from.flatMap((folder) => [posix.join(folder, `${name}.py`), posix.join(folder, name, "__init__.py")]),
      index,
    );
  return [...text.matchAll(pythonImport)].flatMap(([, dots = "", module = "", names = "", plain]) => {
    if (plain !== undefined) return namesIn(plain).flatMap((each) => moduleAt(each.replaceAll(".", "/"), folders));
    const from = dots === "" ? folders : folders.slice(dots.length - 1, dots.length);
    const name = module.replaceAll(".", "/");
    const members = namesIn(names).flatMap((each) => moduleAt(posix.join(name, each), from));
    return name === "" ? members : [...moduleAt(name, from), ...members];
  });
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((each) => each.trim().split(/\s/)[0] ?? "")
    .filter((each) => /^[A-Za-z_][\w.]*$/.test(each));
}

function foldersAbove(path: string): string[] {
  const folders = [folderOf(path)];
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.push(folderOf(folder));
  return folders;
}

function rubyImports(path: string, text: string, index: PathIndex): string[] {
  return [...text.matchAll(rubyImport)].flatMap(([, relative, name = ""]) => {
    const file = name.endsWith(".rb") ? name : `${name}.rb`;
    return firstOf(relative ? [posix.join(folderOf(path), file)] : [`lib/${file}`, `app/${file}`, file], index);
  });
}

/** The files of an imported package's folder, and those of the file's own. */
function goImports(path: string, text: string, index: PathIndex): string[] {
  const isCode = (file: string): boolean => file.endsWith(".go") && !file.endsWith("_test.go");
  const imported = [...text.matchAll(goImport)].flatMap(([, name = ""]) => {
    const segments = name.split("/");
    // What stands before the folders is the module's name, as long as that may be.
    const ends = segments
      .map((_, at) => segments.slice(at).join("/"))
      .filter((end, at) => at > 0 || !end.includes("."));
    const folders = ends.map((end) => index.foldersEndingWith(end)).find((some) => some.length === 1) ?? [];
    return segments.length === 1 ? [] : folders.flatMap((folder) => index.inFolder(folder));
  });
  return [...index.inFolder(folderOf(path)), ...imported].filter(isCode);
}

/** Imported classes, and those of the same package that the file names. */
function javaImports(path: string, text: string, index: PathIndex): string[] {
  const imported = [...text.matchAll(javaImport)].flatMap(
    ([, name = ""]) => index.endingWith(`${name.replaceAll(".", "/")}.java`) ?? [],
  );
  const words = new Set(text.match(/\b[A-Z]\w*/g));
  const siblings = index.inFolder(folderOf(path)).filter((file) => words.has(posix.basename(file, ".java")));
  return [...imported, ...siblings];
}
