import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "@whence/protocol/limits";
import { readProperty } from "../runtime/read-property.ts";

/** Variables that name the version of what runs, the most deliberate first: ours, other tools', platforms', builds'. */
export const releaseVariables = [
  "WHENCE_RELEASE",
  "SENTRY_RELEASE",
  "DD_VERSION",
  "HEROKU_SLUG_COMMIT",
  "VERCEL_GIT_COMMIT_SHA",
  "RENDER_GIT_COMMIT",
  "RAILWAY_GIT_COMMIT_SHA",
  "K_REVISION",
  "GIT_COMMIT",
  "GIT_SHA",
  "COMMIT_SHA",
  "SOURCE_VERSION",
  "SOURCE_COMMIT",
  "GITHUB_SHA",
  "CI_COMMIT_SHA",
] as const;

/** The first of {@link releaseVariables} that says something. */
export function releaseFromEnvironment(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return releaseVariables.map((name) => environment[name]?.trim()).find(isRelease);
}

/**
 * `name@version` of the package that a program belongs to: the manifest nearest to its `entry` file, upwards. Undefined
 * where that has no version. Blocks for the few reads that it takes.
 */
export function releaseOfPackage(entry: string | undefined): string | undefined {
  if (entry === undefined || entry === "") return undefined;
  return releaseAbove(dirname(entry));
}

function releaseAbove(folder: string): string | undefined {
  const manifest = readManifest(join(folder, "package.json"));
  if (manifest !== undefined) return nameOf(manifest);
  const parent = dirname(folder);
  return parent === folder ? undefined : releaseAbove(parent);
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
    // None here, or one that Node could not read either: the next folder may have one.
    return undefined;
  }
}

function isRelease(value: string | undefined): value is string {
  return value !== undefined && value !== "" && value.length <= limits.textLengthMax;
}
