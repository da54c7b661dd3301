import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { repositoryIn } from "../package-files.ts";

const testFolder = /^(tests?|testing|unittests?|unit_?tests?|testsuite|tests?_.*|.*_tests?|selftest)$/i;
const testFile = /^(tests?|conftest)\.py$|^tests?_.*\.py$|_tests?\.py$/i;
const notRuntime =
  /^(docs?|doc-src|examples?|samples?|demos?|bench(marks?)?|perf|scripts?|tools?|utils|build|dist|contrib|ci|website|recipes?|fuzz(ing)?|profiling|benchmarking)\/|^(setup|tasks|noxfile|fabfile|ez_setup|distribute_setup|versioneer|conf|dodo|runtests?|bootstrap|release|make|manage|generate_\w+)\.py$|(^|\/)\.[^/]+/i;
/** What tests read; no tests are in it. */
const besideTests =
  /(^|\/)(fixtures?|data|samples?|examples?|resources|testdata|inputs?|snapshots?|integration|network)\//i;

/** Whether a file of a package is one of its tests, or belongs to them. */
export function isTestPath(file: string): boolean {
  const parts = file.split("/");
  return parts.slice(0, -1).some((part) => testFolder.test(part)) || testFile.test(basename(file));
}

/** Whether a file holds tests that can be run. */
export function isRunnable(file: string): boolean {
  const name = basename(file);
  return isTestPath(file) && name.endsWith(".py") && !/^(__\w+__|conftest)\.py$/.test(name) && !besideTests.test(file);
}

/** Whether a file is code that an application runs: no test, no example, no build product. */
export function isRuntimeCode(file: string): boolean {
  return file.endsWith(".py") && !isTestPath(file) && !notRuntime.test(file);
}

/** The folder of a source archive in which the packages are. */
export function codeFolder(unpacked: string): string {
  const inside = ["src", "lib"].map((name) => join(unpacked, name));
  return inside.find((folder) => globSync(["*/__init__.py", "*.py"], { cwd: folder }).length > 0) ?? unpacked;
}

/** What a source archive says of itself. */
export function readMetadata(unpacked: string): string {
  const file = join(unpacked, "PKG-INFO");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** `owner/name` of the repository that a source archive says it is from; undefined when it names none. */
export function repositoryOf(unpacked: string): string | undefined {
  const addresses = [...readMetadata(unpacked).matchAll(/^(?:Home-page:|Project-URL:.*?,|Download-URL:) *(\S+)$/gm)];
  const hosted = addresses.flatMap(([, url = ""]) =>
    /(github|gitlab|bitbucket)\.\w+\/[^/]+\/[^/]/.test(url) ? url : [],
  );
  return hosted[0] === undefined ? undefined : repositoryIn(hosted[0].replace(/^.*(gitlab|bitbucket)\.\w+\//, ""));
}

/** What has to be installed along, as pip reads it. */
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
