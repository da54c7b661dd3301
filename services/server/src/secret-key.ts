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
 * Loads the keys that encrypt and sign, the current one first: from the environment, or else from the data directory,
 * where one is created on the first start, readable by its owner only.
 */
export async function loadSecretKeys(config: Config): Promise<readonly [Buffer, ...Buffer[]]> {
  if (config.secretKey !== undefined) return [config.secretKey, ...config.previousSecretKeys];
  // Needed even if servers store everything else, since the key is in there.
  makeDataDirectory(config.dataDirectory);
  const path = join(config.dataDirectory, fileName);
  await makeFirst(path).catch((error: unknown) => {
    throw asUnwritable(config.dataDirectory, error);
  });
  return readKeys(path);
}

/** Adds a new key before the others in the data directory, which still decrypt what they encrypted. */
export async function addSecretKey(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, fileName);
  await replace(path, [randomBytes(keyBytes), ...(await readKeys(path))]);
}

/** Deletes all keys of the data directory but the current one. */
export async function forgetFormerSecretKeys(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, fileName);
  const [current] = await readKeys(path);
  await replace(path, [current]);
}

/** Creates the key atomically; of several processes that start together, the first one does. */
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

/** Replaces the file atomically, even if the power fails: a lost key means lost credentials. */
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

/** A file name is durable once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path));
  await folder.sync();
  await folder.close();
}
