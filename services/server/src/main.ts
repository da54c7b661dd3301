import { WhenceError } from "@whence/protocol";
import { startServer } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { stopOnSignal } from "./shutdown.ts";
import { startLines } from "./start-lines.ts";

try {
  const config: Config = readConfig(process.env);
  const server = await startServer(config);
  console.log(startLines(config, server).join("\n"));
  stopOnSignal(() => server.stop());
} catch (error) {
  console.error(error instanceof WhenceError ? `${error.message} (${error.code})` : error);
  process.exitCode = 1;
}
