import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asUnwritable, makeDataDirectory } from "@whence/storage";
import { z } from "zod";
import type { Config } from "./config.ts";
import { serverErrors } from "./errors.ts";

const keyBytes = 32;
const fileName = "secret-key";
const ownerOnly = 0o600;

const fileSchema = z
  .string()
  .transform((text) => text.trim().split(/\s+/))
  .pipe(z.array(z.base64().min(1)).min(1));

/**
 * The keys that encrypt and sign, the current one first: from the environment, or else from the data directory, made
 * there on the first start, readable by its owner only.
 */
export async function loadSecretKeys(config: Config): Promise<readonly [Buffer, ...Buffer[]]> {
  if (config.secretKey !== undefined) return [config.secretKey, ...config.previousSecretKeys];
  // Also where servers keep everything else: the key is in there.
  makeDataDirectory(config.dataDirectory);
  const path = join(config.dataDirectory, fileName);
  await makeFirst(path).catch((error: unknown) => {
    throw asUnwritable(config.dataDirectory, error);
  });
  return readKeys(path);
}

/** Puts a new key before the ones in the data directory, which still open what they encrypted. */
export async function addSecretKey(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, fileName);
  await replace(path, [randomBytes(keyBytes), ...(await readKeys(path))]);
}

/** Forgets all keys of the data directory but the current one. */
export async function forgetFormerSecretKeys(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, fileName);
  const [current] = await readKeys(path);
  await replace(path, [current]);
}

/** The first of several that start at once makes it, whole or not at all. */
async function makeFirst(path: string): Promise<void> {
  if (existsSync(path)) return;
  const beside = `${path}.${process.pid}.new`;
  try {
    await write(beside, [randomBytes(keyBytes)]);
    await link(beside, path);
    await syncFolder(path);
  } catch (error) {
    const exists = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!exists) throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

async function readKeys(path: string): Promise<readonly [Buffer, ...Buffer[]]> {
  const parsed = fileSchema.safeParse(await readFile(path, "utf8"));
  const keys = parsed.success ? parsed.data.map((text) => Buffer.from(text, "base64")) : [];
  const [current, ...former] = keys;
  if (current === undefined || keys.some(({ length }) => length !== keyBytes)) {
    throw serverErrors.create("WHENCE_ERR_SECRET_KEY_FILE", [path]);
  }
  return [current, ...former];
}

/** Whole or not at all, also when the power goes: a lost key is lost credentials. */
async function replace(path: string, keys: readonly Buffer[]): Promise<void> {
  const beside = `${path}.new`;
  await write(beside, keys);
  await rename(beside, path);
  await syncFolder(path);
}

async function write(path: string, keys: readonly Buffer[]): Promise<void> {
  const file = await open(path, "w", ownerOnly);
  try {
    await file.writeFile(keys.map((key) => `${key.toString("base64")}\n`).join(""));
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(path, ownerOnly);
}

/** A name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path));
  await folder.sync();
  await folder.close();
}
