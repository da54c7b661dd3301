import { createReadStream } from "node:fs";
import { restoreBackup } from "@whence/analyzer";
import { openStorage } from "@whence/storage";
import type { Command } from "../command-line.ts";
import type { Config } from "../config.ts";
import { loadSecretKeys } from "../secret-key.ts";

/** Restores a backup, all or nothing, into an empty service that isn't running. */
export async function restore(
  config: Config,
  { file }: Extract<Command, { name: "restore" }>,
): Promise<readonly string[]> {
  const storage = await openStorage({ ...config, secretKeys: await loadSecretKeys(config) });
  try {
    const { rows, events } = await restoreBackup(() => createReadStream(file), storage);
    return [`restored: ${rows} rows and ${events} events. Unfinished incidents are investigated at the next start.`];
  } finally {
    await storage.close();
  }
}
