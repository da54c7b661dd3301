import { posix } from "node:path";

/** The possible names of an imported file, below the working directory; the first that exists is meant. */
export type ImportedNames = readonly string[];

const importsMax = 200;
const scriptExtensions = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"];
const scriptImport = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\.{1,2}(?:\/[^"'\n]{0,500})?)["']/g;
const pythonImport =
  /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([^#\n]{0,500})|import[ \t]+([\w., \t]{1,500}))/gm;
const rubyImport = /^[ \t]*require_relative[ (]+["']([^"'\n]{1,500})["']/gm;

/**
 * Returns the program's own files that a file imports: relative imports of JavaScript and TypeScript, Python modules
 * that may be in the same tree, Ruby's `require_relative`. Matches lines of text, so commented-out imports count, too.
 */
export function importsOf(name: string, text: string): ImportedNames[] {
  const extension = posix.extname(name).slice(1).toLowerCase();
  if (scriptExtensions.includes(extension)) return scriptImports(name, text).slice(0, importsMax);
  if (extension === "py") return pythonImports(name, text).slice(0, importsMax);
  return extension === "rb" ? rubyImports(name, text).slice(0, importsMax) : [];
}

function scriptImports(name: string, text: string): ImportedNames[] {
  return [...text.matchAll(scriptImport)].map(([, specifier = ""]) => {
    // A folder may be named with a slash, and is `.` where the file lies below it.
    const target = posix.join(posix.dirname(name), specifier).replace(/\/$/, "");
    // TypeScript imports name the compiled file.
    const stem = target.replace(/\.[cm]?jsx?$/, "");
    const stems = stem === target ? [target] : [stem, target];
    return [
      target,
      ...stems.flatMap((path) => scriptExtensions.map((extension) => `${path}.${extension}`)),
      ...scriptExtensions.map((extension) => posix.join(target, `index.${extension}`)),
    ];
  });
}

/** Looks for a module in each folder above the file, the nearest first: one of them is the root. */
function pythonImports(name: string, text: string): ImportedNames[] {
  const folders = foldersAbove(name);
  const modules = (path: string, from: readonly string[]): ImportedNames =>
    from.flatMap((folder) => [posix.join(folder, `${path}.py`), posix.join(folder, path, "__init__.py")]);
  return [...text.matchAll(pythonImport)].flatMap(([, dots = "", module = "", names = "", plain]) => {
    if (plain !== undefined) return namesIn(plain).map((each) => modules(each.replaceAll(".", "/"), folders));
    const from = dots === "" ? folders : folders.slice(dots.length - 1, dots.length);
    const path = module.replaceAll(".", "/");
    const members = namesIn(names).map((each) => modules(posix.join(path, each), from));
    return path === "" ? members : [modules(path, from), ...members];
  });
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((each) => each.trim().split(/\s/)[0] ?? "")
    .filter((each) => /^[A-Za-z_][\w.]*$/.test(each));
}

function foldersAbove(name: string): string[] {
  const folders = [posix.dirname(name)];
  for (let folder = posix.dirname(name); folder !== "."; folder = posix.dirname(folder))
    folders.push(posix.dirname(folder));
  return folders;
}

function rubyImports(name: string, text: string): ImportedNames[] {
  return [...text.matchAll(rubyImport)].map(([, path = ""]) => {
    const target = posix.join(posix.dirname(name), path);
    return [target.endsWith(".rb") ? target : `${target}.rb`];
  });
}
