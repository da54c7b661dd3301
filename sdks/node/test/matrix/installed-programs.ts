import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { userPath } from "../../../../test/servers/installed-packages.ts";
import { buildSdk } from "../sdk-build.ts";
import { codedMark, type MatrixProgram, stock, stockFile, version } from "./matrix-program.ts";

/** Dependencies are limited to versions published before this day, so that every run installs the same. */
const packagesBefore = "2026-11-22";

const run = promisify(execFile);

/**
 * Writes the programs as the workspaces of one npm project, and installs their packages and the client. Returns the
 * project's folder, which stays in the system's temporary folder for the next run.
 */
export async function installPrograms(programs: readonly MatrixProgram[]): Promise<string> {
  const manifests = programs.map((program) => ({ name: program.name, text: manifestOf(program) }));
  const overrides = Object.assign({}, ...programs.map((program) => program.overrides));
  const root = JSON.stringify({ private: true, workspaces: manifests.map(({ name }) => name), overrides });
  const contents = JSON.stringify([packagesBefore, root, manifests]);
  const hash = createHash("sha256").update(contents).digest("hex").slice(0, 12);
  const above = join(tmpdir(), `whence-matrix-${hash}`);
  const folder = join(above, "programs");
  await writeText(join(folder, "package.json"), root);
  for (const { name, text } of manifests) await writeText(join(folder, name, "package.json"), text);
  for (const program of programs) await writeVariants(program, folder);
  await Promise.all([installPackages(folder), installClient(above)]);
  return folder;
}

function manifestOf({ name, packages }: MatrixProgram): string {
  return JSON.stringify({ name: `matrix-${name}`, version, private: true, dependencies: packages });
}

/** Returns the folder of a program: without the client, or with the lines that its documentation adds. */
export function variantFolder(folder: string, { name }: MatrixProgram, variant: "plain" | "coded"): string {
  return join(folder, name, variant);
}

async function writeVariants(program: MatrixProgram, folder: string): Promise<void> {
  for (const [name, text] of Object.entries({ [stockFile]: stock, ...program.files })) {
    await writeText(join(variantFolder(folder, program, "plain"), name), text.replaceAll(codedMark, ""));
    await writeText(join(variantFolder(folder, program, "coded"), name), text);
  }
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function installPackages(folder: string): Promise<void> {
  const done = join(folder, "installed");
  if (existsSync(done)) return;
  const flags = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--loglevel=error"];
  const env = { ...process.env, PATH: userPath };
  await run("npm", ["install", ...flags, `--before=${packagesBefore}`], { cwd: folder, env });
  await writeFile(done, "");
}

async function installClient(above: string): Promise<void> {
  const target = join(above, "node_modules", "@whence", "node");
  const sdk = await buildSdk();
  await rm(target, { recursive: true, force: true });
  await cp(sdk.folder, join(target, "dist"), { recursive: true });
  await cp(join(import.meta.dirname, "..", "..", "package.json"), join(target, "package.json"));
  await sdk.remove();
}
