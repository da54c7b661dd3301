import { createReadStream } from "node:fs";
import { restoreBackup } from "@whence/analyzer";
import { openStorage } from "@whence/storage";
import type { Command } from "../command-line.ts";
import type { Config } from "../config.ts";
import { loadSecretKeys } from "../secret-key.ts";

/** Fills an empty service, which is not running, with what a backup holds: all of it or nothing. */
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
