import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { repositoryIn } from "../package-files.ts";

const testFolder = /^(tests?|specs?|__tests?__|t|testing|unit|test-.*|.*-tests?)$/i;
const testFile = /^(tests?|specs?)([-_.].*)?\.[cm]?js$|[._-](tests?|specs?)\.[cm]?js$/i;
const notRuntime =
  /(^|\/)(node_modules|docs?|examples?|demos?|bench(marks?)?|perf|dist|build|min|bundles?|browser-?builds?|coverage|tools?|scripts?|tasks?|support|gruntfile\.js|gulpfile\.js|makefile\.js|rollup\.config\.[cm]?js|karma\.conf\.js|\.[^/]+)(\/|$)|[.-]min\.js$|\.bundle\.js$/i;
const code = /\.[cm]?js$/;

/** Matches folders of tests that contain no tests themselves. */
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

/** Whether a file contains tests that can be run. */
export const isRunnable = (file: string): boolean => isTestPath(file) && code.test(file) && !besideTests.test(file);

/** Whether a file is code that an application runs: no test, example, or build product. */
export function isRuntimeCode(file: string): boolean {
  return code.test(file) && !isTestPath(file) && !notRuntime.test(file);
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

type Manifest = z.infer<typeof manifest>;

/** Returns the package's `package.json`; malformed fields count as missing. */
export function readManifest(folder: string): Manifest {
  const text = readFileSync(join(folder, "package.json"), "utf8").replace(/^\uFEFF/, "");
  const empty = { scripts: {}, dependencies: {}, devDependencies: {}, peerDependencies: {}, optionalDependencies: {} };
  return manifest.parse({ ...empty, ...z.record(z.string(), z.unknown()).parse(JSON.parse(text)) });
}

/** Returns the repository of an unpacked package as `owner/name`; undefined when it names none. */
export function repositoryOf(folder: string): string | undefined {
  if (!existsSync(join(folder, "package.json"))) return undefined;
  const { repository } = readManifest(folder);
  return repositoryIn((typeof repository === "string" ? repository : repository?.url) ?? "");
}
