import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { killServers, startQuietly, untilReady } from "./started-servers.ts";

const program: string = join(import.meta.dirname, "../../node_modules/.moto/bin/moto_server");

/** moto, which emulates AWS, on the loopback interface. Its data is deleted with it. */
export interface MotoServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Throws an error that names the installation script when moto is missing. Resolves when it serves requests. */
export async function startMoto(): Promise<MotoServer> {
  if (!existsSync(program)) throw new Error("moto is not installed: run test/servers/install-moto");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startQuietly(program, ["--host", "127.0.0.1", "--port", String(port)]);
  try {
    await untilReady(`${url}/moto-api/data.json`);
  } catch (error) {
    await killServers([child]);
    throw error;
  }
  return { url, stop: () => killServers([child]) };
}
