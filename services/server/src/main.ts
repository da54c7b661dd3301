#!/usr/bin/env -S node --max-semi-space-size=8 --conditions=@whence/source
import { WhenceError } from "@whence/protocol";
import { type Command, readCommand, usage } from "./command-line.ts";
import { backUp } from "./commands/backup.ts";
import { deadLetters, queues } from "./commands/dead-letters.ts";
import { tokenOf } from "./commands/operator.ts";
import { resetTwoFactor } from "./commands/reset-two-factor.ts";
import { restore } from "./commands/restore.ts";
import { rotateSecretKey } from "./commands/rotate-secret-key.ts";
import { verifyAuditLog } from "./commands/verify-audit-log.ts";
import { startServer } from "./compose.ts";
import { type Role, readConfig } from "./config.ts";
import { stopOnSignal } from "./shutdown.ts";
import { startLines } from "./start-lines.ts";

// Files contain keys, accounts, and telemetry, which other users must not read.
process.umask(0o077);

try {
  await run(readCommand(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof WhenceError ? `${error.message} (${error.code})` : error);
  process.exitCode = 1;
}

async function run(command: Command): Promise<void> {
  if (command.name === "serve") return serve(command.role);
  const lines = await answer(command);
  if (lines.length > 0) console.log(lines.join("\n"));
}

async function serve(role: Role): Promise<void> {
  const config = readConfig(process.env, role);
  const server = await startServer(config);
  console.log(startLines(config, server).join("\n"));
  stopOnSignal(() => server.stop());
}

/** Returns the lines that a command prints. */
async function answer(command: Exclude<Command, { name: "serve" }>): Promise<readonly string[]> {
  if (command.name === "help") return [usage];
  const config = readConfig(process.env, "all");
  switch (command.name) {
    case "queues":
      return queues(config, command);
    case "dead-letters":
      return deadLetters(config, command);
    case "backup":
      return backUp(config, command);
    case "verify-audit-log":
      return verifyAuditLog(config, command);
    case "reset-two-factor":
      return resetTwoFactor(config, command);
    case "restore":
      return restore(config, command);
    case "rotate-secret-key":
      return rotateSecretKey(config);
    case "operator-token":
      return [await tokenOf(config)];
  }
}
