import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

/** The published form of the package, of one test file. */
export interface SdkBuild {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Copies the package's JavaScript, which `build-once.ts` has built, to a temporary folder inside the package, which
 * gives it the package's module type.
 */
export async function buildSdk(): Promise<SdkBuild> {
  const parent = join(import.meta.dirname, "..", ".types");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "dist-"));
  await cp(inject("builtSdk"), folder, { recursive: true });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** How a program ended, and its output. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Runs a program of `test/programs` to its end. Without `sdk`, it runs as if the client were not installed. */
export function runProgram(
  name: string,
  options: { sdk?: string; endpoint?: string; flags?: readonly string[]; args?: readonly string[] } = {},
): Promise<Ending> {
  const { sdk, endpoint, flags = [], args = [] } = options;
  const startedAt = Date.now();
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, "programs", name), ...args], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: temporaryFolder(),
      ...(sdk === undefined ? {} : { WHENCE_SDK: join(sdk, name.endsWith(".mjs") ? "index.js" : "index.cjs") }),
      ...(endpoint === undefined ? {} : { WHENCE_ENDPOINT: endpoint }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    text.stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    text.stderr += chunk;
  });
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code, signal, ms: Date.now() - startedAt, ...text });
    });
  });
}
