import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "../command-line.ts";
import type { Config } from "../config.ts";
import { serverErrors } from "../errors.ts";
import { operatorOf } from "./operator.ts";

const ownerOnly = 0o600;

/**
 * Writes all data of the running service to one file, which appears once it is complete. It contains what the service
 * knows about its users, so only its owner can read it.
 */
export async function backUp(
  config: Config,
  { file, url }: Extract<Command, { name: "backup" }>,
): Promise<readonly string[]> {
  const operator = await operatorOf(config, url);
  const { body } = await operator.ask("GET", "/backup");
  if (body === null) throw serverErrors.create("WHENCE_ERR_OPERATOR_REFUSED", ["the service", "nothing", "no backup"]);
  const unfinished = `${file}.unfinished`;
  try {
    await pipeline(Readable.fromWeb(body), createWriteStream(unfinished, { mode: ownerOnly, flush: true }));
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  const { size } = await stat(file);
  return [`${file}: ${size} bytes. The secret key is not in it: keep that apart.`];
}
