import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { addSecretKey, forgetFormerSecretKeys, loadSecretKeys } from "../src/secret-key.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-key-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inFolder = () => readConfig({ WHENCE_DATA_DIR: join(folder, "data") }, "all");
const directory = (): string => join(folder, "data");

describe("the secret key", () => {
  it("is created once, in a file and a folder that only the owner can access", async () => {
    const [first] = await loadSecretKeys(inFolder());
    const [again] = await loadSecretKeys(inFolder());
    expect(first.length).toBe(32);
    expect(again.equals(first)).toBe(true);
    expect((await stat(join(directory(), "secret-key"))).mode & 0o777).toBe(0o600);
    expect((await stat(directory())).mode & 0o777).toBe(0o700);
  });

  it("closes a folder that others could read, even if servers store everything else", async () => {
    await mkdir(directory(), { mode: 0o755 });
    await chmod(directory(), 0o755);
    const servers = { NATS_URL: "nats://q", CLICKHOUSE_URL: "http://c", DATABASE_URL: "postgres://d/w" };
    await loadSecretKeys(readConfig({ WHENCE_DATA_DIR: directory(), ...servers }, "all"));
    expect((await stat(directory())).mode & 0o777).toBe(0o700);
  });

  it("comes from the environment if set, with former ones after it, and no file is created", async () => {
    const [current, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const keys = await loadSecretKeys({ ...inFolder(), secretKey: current, previousSecretKeys: [former] });
    expect(keys).toEqual([current, former]);
    await expect(stat(directory())).rejects.toThrow("ENOENT");
  });

  it("follows the new one when rotated, and is deleted when nothing needs it", async () => {
    const [old] = await loadSecretKeys(inFolder());
    await addSecretKey(directory());
    const [current, former] = await loadSecretKeys(inFolder());
    expect(current.equals(old)).toBe(false);
    expect(former?.equals(old)).toBe(true);
    await forgetFormerSecretKeys(directory());
    expect(await loadSecretKeys(inFolder())).toEqual([current]);
    expect((await stat(join(directory(), "secret-key"))).mode & 0o777).toBe(0o600);
  });

  it("is read from a file with one key and no line break", async () => {
    await loadSecretKeys(inFolder());
    const path = join(directory(), "secret-key");
    await writeFile(path, (await readFile(path, "utf8")).trim());
    expect((await loadSecretKeys(inFolder())).length).toBe(1);
  });

  it("is created by the next start when the disk was full at the first, which leaves no partial file", async () => {
    const program = `import { loadSecretKeys } from ${JSON.stringify(join(import.meta.dirname, "../src/secret-key.ts"))};
      await loadSecretKeys({ dataDirectory: ${JSON.stringify(directory())}, previousSecretKeys: [] });`;
    // Limits the process's files to zero bytes, which acts like a full disk without filling one.
    const limited = ["-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh", process.execPath];
    const flags = ["--conditions=@whence/source", "--input-type=module", "--eval", program];
    await expect(promisify(execFile)("/bin/sh", [...limited, ...flags])).rejects.toThrow(/EFBIG/);
    expect(await readdir(directory())).toEqual([]);
    expect(await loadSecretKeys(inFolder())).toHaveLength(1);
  });

  it.each(["", "not base64!", Buffer.alloc(31).toString("base64")])(
    "stops the start when the file holds %j",
    async (text) => {
      await loadSecretKeys(inFolder());
      await writeFile(join(directory(), "secret-key"), text);
      await expect(loadSecretKeys(inFolder())).rejects.toMatchObject({ code: "WHENCE_ERR_SECRET_KEY_FILE" });
    },
  );
});
