import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { servedClients } from "./clients.ts";
import { packClient } from "./pack-client.ts";

const sdks: string = join(import.meta.dirname, "..");
const dist: string = join(import.meta.dirname, "dist");
const stamp: string = join(dist, "built-from");

const clients = servedClients.map(({ name }) => name);
const packages = ["protocol", ...clients];

/** The inputs and outputs of the build; it is skipped when none has changed. */
const fingerprinted: readonly string[] = [
  "*/{package.json,README.md,*.ts}",
  "*/src/**/*",
  "*/dist/**/*",
  "../{LICENSE,.pnpmfile.mjs,pnpm-lock.yaml,tsconfig.base.json}",
];

if ((await readFile(stamp, "utf8").catch(() => "")) === (await fingerprint())) process.exit();

process.stderr.write("Building the clients …\n");
// In parallel: each compiles the sources of the others rather than their build output.
await Promise.all(packages.map(build));
await mkdir(dist, { recursive: true });
const checksums = await Promise.all(clients.map(writeTarball));
await writeFile(join(dist, "checksums.txt"), checksums.join(""));
await writeFile(stamp, await fingerprint());

async function build(name: string): Promise<void> {
  const building = promisify(execFile)(process.execPath, ["--run", "build"], { cwd: join(sdks, name) });
  await building.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    process.stderr.write(`${stdout}${stderr}\nsdks/${name} could not be built\n`);
    process.exit(1);
  });
}

/** Returns the line of the tarball in `sha256sum` format. */
async function writeTarball(client: string): Promise<string> {
  const content = await packClient(client);
  await writeFile(join(dist, `${client}.tgz`), content);
  return `${createHash("sha256").update(content).digest("hex")}  ${client}.tgz\n`;
}

async function fingerprint(): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const found = globSync([...fingerprinted], { cwd: sdks, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => path !== stamp);
  for (const path of paths.sort()) hash.update(`\0${path}\0`).update(await readFile(path));
  return hash.digest("hex");
}
