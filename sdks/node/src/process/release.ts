import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "@whence/protocol/limits";
import { readProperty } from "../runtime/read-property.ts";
import { checkedOutCommit } from "./git-commit.ts";

/** Characters of a commit's ID after a version. */
const shownCharacters = 12;
const isInstalled = /[\\/]node_modules[\\/]/;

/** Variables that name the running version, the most specific first: ours, other tools', platforms', builds'. */
export const releaseVariables = [
  "WHENCE_RELEASE",
  "SENTRY_RELEASE",
  "DD_VERSION",
  "HEROKU_BUILD_COMMIT",
  "HEROKU_SLUG_COMMIT",
  "VERCEL_GIT_COMMIT_SHA",
  "RENDER_GIT_COMMIT",
  "RAILWAY_GIT_COMMIT_SHA",
  "KOYEB_GIT_SHA",
  "ZEABUR_GIT_COMMIT_SHA",
  "CF_PAGES_COMMIT_SHA",
  "COMMIT_REF",
  "AWS_COMMIT_ID",
  "K_REVISION",
  "GAE_VERSION",
  "GIT_COMMIT",
  "GIT_SHA",
  "COMMIT_SHA",
  "SOURCE_VERSION",
  "SOURCE_COMMIT",
  "GITHUB_SHA",
  "CI_COMMIT_SHA",
  "CIRCLE_SHA1",
  "BUILDKITE_COMMIT",
  "BITBUCKET_COMMIT",
  "BUILD_SOURCEVERSION",
  "CODEBUILD_RESOLVED_SOURCE_VERSION",
  "DRONE_COMMIT_SHA",
  "SEMAPHORE_GIT_SHA",
  "TRAVIS_COMMIT",
] as const;

/** Returns the value of the first of {@link releaseVariables} that is set. */
export function releaseFromEnvironment(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return releaseVariables.map((name) => environment[name]?.trim()).find(isRelease);
}

/**
 * Returns the release of a deployed program: `name@version` of its package, then `+` and its commit when it runs from a
 * checkout. The package is that of its `entry` file, or of `workingFolder` when the entry is a launcher's, such as
 * next's, or there is none. Undefined when neither is known. Reads files synchronously.
 */
export function deployedRelease(entry: string | undefined, workingFolder: string): string | undefined {
  const own = entry === undefined || entry === "" ? undefined : ownFolder(entry);
  const folder = own ?? workingFolder;
  if (folder === "") return undefined;
  const [version, commit] = [versionAbove(folder), checkedOutCommit(folder)];
  return version === undefined ? commit : [version, ...(commit ? [commit.slice(0, shownCharacters)] : [])].join("+");
}

/** Returns the folder of a program's entry file; undefined for a file of an installed package. */
function ownFolder(entry: string): string | undefined {
  // A globally installed command is a link.
  const file = realPath(entry);
  return isInstalled.test(file) ? undefined : dirname(file);
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It was deleted or can't be read; its name still tells the folder.
    return file;
  }
}

function versionAbove(folder: string): string | undefined {
  const manifest = readManifest(join(folder, "package.json"));
  if (manifest !== undefined) return nameOf(manifest);
  const parent = dirname(folder);
  return parent === folder ? undefined : versionAbove(parent);
}

function nameOf(manifest: unknown): string | undefined {
  const [name, version] = [readProperty(manifest, "name"), readProperty(manifest, "version")];
  if (typeof version !== "string" || version === "") return undefined;
  const release = typeof name === "string" && name !== "" ? `${name}@${version}` : version;
  return isRelease(release) ? release : undefined;
}

function readManifest(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // None here, or one that Node couldn't read either; the next folder may have one.
    return undefined;
  }
}

function isRelease(value: string | undefined): value is string {
  return value !== undefined && value !== "" && value.length <= limits.textLengthMax;
}
