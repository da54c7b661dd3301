import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const keyBytes = 32;
const fileName = "secret-key";
const ownerOnly = 0o600;

/** The key that encrypts and signs, from the data directory: made there on the first start, readable by its owner only. */
export async function loadSecretKey(dataDirectory: string): Promise<Buffer> {
  const path = join(dataDirectory, fileName);
  try {
    await writeFile(path, randomBytes(keyBytes).toString("base64"), { flag: "wx", mode: ownerOnly });
  } catch (error) {
    if (!isExistingFile(error)) throw error;
  }
  return Buffer.from(await readFile(path, "utf8"), "base64");
}

function isExistingFile(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
