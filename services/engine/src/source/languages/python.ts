import { foldersAbove, pathIn } from "../path-index.ts";
import type { ImportableFiles, LanguageTable } from "./language.ts";

export const python: LanguageTable = {
  files: /\.pyi?$/,
  runtimes: ["python", "cpython", "pypy"],
  homes: {
    runtimeFolders: [
      "/lib/python2.",
      "/lib/python3.",
      "/lib64/python2.",
      "/lib64/python3.",
      "/lib-python/",
      "/Python3",
      "/lib/pypy2.",
      "/lib/pypy3.",
      "/lib_pypy/",
      "<frozen ",
      "/Lib/asyncio/",
      ".amd64/lib/",
    ],
    // On Windows, the standard library is beside the packages. Elsewhere, people shorten its path: `.../python3.12/ssl.py`.
    runtimeFiles:
      /^[A-Za-z]:\/(?:.*\/)?lib\/(?!site-packages\/)(?:[a-z]\w*\/){0,3}\w+\.py$|^(?:\.{3}|…|\[\.{3}\])\/python[23]\.\d+\/(?!(?:site|dist)-packages\/)/i,
    dependencyFolders: [
      "/pyspark.zip/",
      "-src.zip/py4j/",
      "/site-packages/",
      "/dist-packages/",
      "/pypoetry/",
      "/.venv/lib/",
      "/eggs/",
      ".egg/",
      // Copies of packages that a project ships with its own code.
      "/_vendor/",
    ],
  },
  imports: { written, resolve, memberModule },
  blockNames: { py: "python" },
  constants: { null: "None", true: "True", false: "False" },
  readsVariablesLate: true,
  printsOutermostFirst: true,
};

const imported =
  /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([^#\n]{0,500})|import[ \t]+([\w., \t]{1,500}))/gm;

function written(text: string): string[] {
  return [...text.matchAll(imported)].flatMap(([, dots = "", name = "", names = "", plain]) => {
    if (plain !== undefined) return namesIn(plain);
    const module = `${dots}${name}`;
    return [module, ...namesIn(names).map((one) => memberModule(module, one))];
  });
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((each) => each.trim().split(/\s/)[0] ?? "")
    .filter((each) => /^[A-Za-z_][\w.]*$/.test(each));
}

/** `..orders` and `total` make `..orders.total`; `.` and `total` make `.total`. */
function memberModule(module: string, name: string): string {
  return module.endsWith(".") ? `${module}${name}` : `${module}.${name}`;
}

/**
 * Looks for a module from each folder above the file, the nearest first, because one of them is the import root. A
 * module elsewhere is found by the end of its path.
 */
function resolve(module: string, from: string, { paths }: ImportableFiles): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).replaceAll(".", "/");
  const above = foldersAbove(from);
  const found = paths.firstOf(
    (dots === 0 ? above : above.slice(dots - 1, dots)).flatMap((folder) => filesNamed(path, folder)),
  );
  if (found !== null) return [found];
  return dots > 0 || path === "" ? [] : filesNamed(path, "").flatMap((one) => paths.allEndingWith(one));
}

function filesNamed(path: string, folder: string): string[] {
  const target = path === "" ? folder : pathIn(folder, path);
  return path === "" ? [`${target}/__init__.py`] : [`${target}.py`, `${target}/__init__.py`];
}
