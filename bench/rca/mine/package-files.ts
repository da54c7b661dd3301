import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";

const testFolder = /^(tests?|specs?|__tests?__|t|testing|unit|test-.*|.*-tests?)$/i;
const testFile = /^(tests?|specs?)([-_.].*)?\.[cm]?js$|[._-](tests?|specs?)\.[cm]?js$/i;
const notRuntime =
  /(^|\/)(node_modules|docs?|examples?|demos?|bench(marks?)?|perf|dist|build|min|bundles?|browser-?builds?|coverage|tools?|scripts?|tasks?|support|gruntfile\.js|gulpfile\.js|makefile\.js|rollup\.config\.[cm]?js|karma\.conf\.js|\.[^/]+)(\/|$)|[.-]min\.js$|\.bundle\.js$/i;
const code = /\.[cm]?js$/;
const codeBytesMax = 600_000;

/** Folders of tests that hold no tests themselves. */
export const besideTests =
  /(^|\/)(fixtures?|helpers?|support|data|mocks?|stubs?|utils?|samples?|browser|node_modules)(\/|$)/i;

/** Whether a file of a package is one of its tests, or belongs to them. */
export function isTestPath(file: string): boolean {
  return (
    file
      .split("/")
      .slice(0, -1)
      .some((part) => testFolder.test(part)) || testFile.test(basename(file))
  );
}

/** Every file of an unpacked package, sorted, relative to it. */
export function packageFiles(folder: string): string[] {
  const names = globSync("**/*", { cwd: folder, exclude: (name) => name === "node_modules" || name === ".git" });
  return names.filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile()).sort();
}

/** Whether a file is code that an application runs: no test, no example, no build product. */
export function isRuntimeCode(file: string): boolean {
  return code.test(file) && !isTestPath(file) && !notRuntime.test(file);
}

/** Files that both versions have and that differ, and files that only the newer one has. */
export interface Difference {
  readonly changed: readonly string[];
  readonly added: readonly string[];
}

/** How the files that `wanted` selects differ between two unpacked versions; white space does not count. */
export function difference(older: string, newer: string, wanted: (file: string) => boolean): Difference {
  const before = new Set(packageFiles(older));
  const after = packageFiles(newer).filter(wanted);
  const differs = (file: string): boolean => squeezed(older, file) !== squeezed(newer, file);
  return {
    changed: after.filter((file) => before.has(file) && differs(file)),
    added: after.filter((file) => !before.has(file)),
  };
}

function squeezed(folder: string, file: string): string {
  const path = join(folder, file);
  return statSync(path).size > codeBytesMax ? "" : readFileSync(path, "latin1").replace(/\s+/g, " ");
}

const record = z.record(z.string(), z.string()).catch({});

const manifest = z.looseObject({
  repository: z
    .union([z.string(), z.looseObject({ url: z.string().catch("") })])
    .optional()
    .catch(undefined),
  scripts: record,
  dependencies: record,
  devDependencies: record,
  peerDependencies: record,
  optionalDependencies: record,
});

export type Manifest = z.infer<typeof manifest>;

/** The package's `package.json`; what is malformed in it counts as missing. */
export function readManifest(folder: string): Manifest {
  const text = readFileSync(join(folder, "package.json"), "utf8").replace(/^\uFEFF/, "");
  const empty = { scripts: {}, dependencies: {}, devDependencies: {}, peerDependencies: {}, optionalDependencies: {} };
  return manifest.parse({ ...empty, ...z.record(z.string(), z.unknown()).parse(JSON.parse(text)) });
}

/** `owner/name` of the repository that a package says it is from, in lower case; undefined when it names none. */
export function repositoryOf({ repository }: Manifest): string | undefined {
  const url = typeof repository === "string" ? repository : repository?.url;
  const match = /(?:^|[/:@])([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:[#/].*)?$/.exec(
    url?.replace(/^.*github\.com[/:]/, "") ?? "",
  );
  return match === null ? undefined : `${match[1]}/${match[2]}`.toLowerCase();
}
