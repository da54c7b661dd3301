import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ServedClient, servedClients } from "./clients.ts";
import { packClient } from "./pack-client.ts";
import { packPython, simplePage } from "./pack-python.ts";

const sdks: string = join(import.meta.dirname, "..");
const dist: string = join(import.meta.dirname, "dist");
const stamp: string = join(dist, "built-from");

/** What Node builds; the others are packed as they are. */
const packages = ["protocol", ...servedClients.flatMap(({ name, installer }) => (installer === "npm" ? name : []))];

/** The inputs and outputs of the build; it is skipped when none has changed. */
const fingerprinted: readonly string[] = ["*/**/*", "../{LICENSE,.pnpmfile.mjs,pnpm-lock.yaml,tsconfig.base.json}"];
/** The dependencies, tests, and caches of the clients, which are not packed. */
const unpacked: readonly string[] = ["*/{node_modules,test,tests,.*}", "**/__pycache__"];

if ((await readFile(stamp, "utf8").catch(() => "")) === (await fingerprint())) process.exit();

process.stdout.write("Building the clients …\n");
// In parallel: each compiles the sources of the others rather than their build output.
await Promise.all(packages.map(build));
// A running service serves what has this file.
await rm(stamp, { force: true });
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
const packed = await Promise.all(servedClients.map(pack));
const checksums = await Promise.all(packed.flat().map(write));
await writeFile(join(dist, "checksums.txt"), checksums.join(""));
await writeFile(stamp, await fingerprint());
process.stdout.write("The clients are built.\n");

async function build(name: string): Promise<void> {
  const building = promisify(execFile)(process.execPath, ["--run", "build"], { cwd: join(sdks, name) });
  await building.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    process.stderr.write(`${stdout}${stderr}\nsdks/${name} could not be built\n`);
    process.exit(1);
  });
}

/** Returns the files of a client that have a checksum, by name. */
async function pack({ name, installer }: ServedClient): Promise<(readonly [string, Buffer])[]> {
  if (installer === "npm") return [[`${name}.tgz`, await packClient(name)]];
  const files = await packPython();
  await writeFile(join(dist, "simple.html"), await simplePage(files));
  return [...files];
}

/** Returns the line of the file in `sha256sum` format. */
async function write([name, content]: readonly [string, Buffer]): Promise<string> {
  await writeFile(join(dist, name), content);
  return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const options = { cwd: sdks, withFileTypes: true, exclude: unpacked } as const;
  const found = globSync([...fingerprinted], options).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => path !== stamp);
  for (const path of paths.sort()) hash.update(`\0${path}\0`).update(await readFile(path));
  return hash.digest("hex");
}
