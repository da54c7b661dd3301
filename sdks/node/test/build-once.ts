import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the package's published JavaScript, built for this run. */
    readonly builtSdk: string;
  }
}

const root = join(import.meta.dirname, "..");
const tsup = join(root, "..", "..", "node_modules", ".bin", "tsup");

/** Builds the package's JavaScript before the first test of a project, inside the package; removes it after the last. */
export default async function buildOnce(project: TestProject): Promise<() => Promise<void>> {
  const parent = join(root, ".types");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "built-"));
  await promisify(execFile)(tsup, ["--out-dir", folder, "--no-dts", "--silent"], { cwd: root });
  project.provide("builtSdk", folder);
  return () => rm(folder, { recursive: true, force: true });
}
