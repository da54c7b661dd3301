import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningProcess, startProcess } from "./child-process.ts";
import { freePort } from "./free-port.ts";

/** The embedded service, with temporary data. */
export interface WhenceServer {
  readonly url: string;
  readonly apiKey: string;
  readonly process: RunningProcess;
  /**
   * Returns the one-time link that makes the first person to open it the owner, and then leads to the path. Undefined
   * if none was printed.
   */
  setupLink(next: string): string | undefined;
}

/** Starts the service as `pnpm start` does, on a free port. Adds to `opened` what has to be closed. */
export async function startWhenceServer(opened: AsyncDisposableStack, signal: AbortSignal): Promise<WhenceServer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "whence-demo-"));
  opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const apiKey = `whk_${randomBytes(24).toString("hex")}`;
  const server = await startProcess(
    {
      name: "the server",
      script: "services/server/src/main.ts",
      environment: {
        PORT: String(port),
        WHENCE_DATA_DIR: dataDirectory,
        WHENCE_BOOTSTRAP_API_KEY: apiKey,
      },
      readyUrl: `${url}/healthz`,
    },
    signal,
  );
  opened.defer(() => server.stop());
  return { url, apiKey, process: server, setupLink: (next) => setupLink(server.output(), next) };
}

function setupLink(printed: string, next: string): string | undefined {
  const [link] = /https?:\/\/\S+\/setup\?token=\S+/.exec(printed) ?? [];
  return link && `${link}&next=${encodeURIComponent(next)}`;
}
