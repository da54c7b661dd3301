import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { repositoryIn } from "../package-files.ts";

const testFolder = /^(tests?|testing|unittests?|unit_?tests?|testsuite|tests?_.*|.*_tests?|selftest)$/i;
const testFile = /^(tests?|conftest)\.py$|^tests?_.*\.py$|_tests?\.py$/i;
const notRuntime =
  /^(docs?|doc-src|examples?|samples?|demos?|bench(marks?)?|perf|scripts?|tools?|utils|build|dist|contrib|ci|website|recipes?|fuzz(ing)?|profiling|benchmarking)\/|^(setup|tasks|noxfile|fabfile|ez_setup|distribute_setup|versioneer|conf|dodo|runtests?|bootstrap|release|make|manage|generate_\w+)\.py$|(^|\/)\.[^/]+/i;
/** Matches files that tests read and that contain no tests. */
const besideTests =
  /(^|\/)(fixtures?|data|samples?|examples?|resources|testdata|inputs?|snapshots?|integration|network)\//i;

/** Whether a file of a package is one of its tests, or belongs to them. */
export function isTestPath(file: string): boolean {
  const parts = file.split("/");
  return parts.slice(0, -1).some((part) => testFolder.test(part)) || testFile.test(basename(file));
}

/** Whether a file contains tests that can be run. */
export function isRunnable(file: string): boolean {
  const name = basename(file);
  return isTestPath(file) && name.endsWith(".py") && !/^(__\w+__|conftest)\.py$/.test(name) && !besideTests.test(file);
}

/** Whether a file is code that an application runs: no test, example, or build product. */
export function isRuntimeCode(file: string): boolean {
  return file.endsWith(".py") && !isTestPath(file) && !notRuntime.test(file);
}

/** Returns the folder of a source archive that contains the packages. */
export function codeFolder(unpacked: string): string {
  const inside = ["src", "lib"].map((name) => join(unpacked, name));
  return inside.find((folder) => globSync(["*/__init__.py", "*.py"], { cwd: folder }).length > 0) ?? unpacked;
}

/** Returns the metadata of a source archive. */
export function readMetadata(unpacked: string): string {
  const file = join(unpacked, "PKG-INFO");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Returns the repository of a source archive as `owner/name`; undefined when it names none. */
export function repositoryOf(unpacked: string): string | undefined {
  const addresses = [...readMetadata(unpacked).matchAll(/^(?:Home-page:|Project-URL:.*?,|Download-URL:) *(\S+)$/gm)];
  const hosted = addresses.flatMap(([, url = ""]) =>
    /(github|gitlab|bitbucket)\.\w+\/[^/]+\/[^/]/.test(url) ? url : [],
  );
  return hosted[0] === undefined ? undefined : repositoryIn(hosted[0].replace(/^.*(gitlab|bitbucket)\.\w+\//, ""));
}

/** Returns the dependencies in pip's format. */
export function requirementsOf(unpacked: string): string[] {
  const declared = [...readMetadata(unpacked).matchAll(/^Requires-Dist: *(.+)$/gm)].map(([, one = ""]) => one.trim());
  const needed = declared.filter((one) => !/;.*\bextra\b/.test(one));
  if (declared.length > 0) return needed;
  const [file] = globSync(["*.egg-info/requires.txt", "{src,lib}/*.egg-info/requires.txt"], { cwd: unpacked });
  if (file === undefined) return [];
  const [always = ""] = readFileSync(join(unpacked, file), "utf8").split(/^\[/m);
  return always
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
