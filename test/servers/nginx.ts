import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./programs.ts";

const shipped = join(import.meta.dirname, "../../deploy/nginx.conf");

/** The proxy of `docker-compose.yml` in front of roles that run as plain processes. */
export interface FrontProxy {
  readonly url: string;
  /** Where bodies are kept until they are whole: batches, requests of exporters, and envelopes. */
  readonly bodies: string;
  readonly exports: string;
  readonly envelopes: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the shipped configuration. Only its addresses and folder are replaced, and the timeout for an
 * analyzer's answer, if a test can't wait for it.
 */
export async function startProxy(
  port: number,
  gateways: readonly string[],
  analyzers: readonly string[],
  analyzerSeconds = 60,
): Promise<FrontProxy> {
  const folder = await mkdtemp(join(tmpdir(), "whence-proxy-"));
  // When started by root, its workers run as another user, who stores large bodies there.
  await chmod(folder, 0o711);
  const path = join(folder, "nginx.conf");
  await writeFile(
    path,
    onThisMachine(await readFile(shipped, "utf8"), { folder, port, gateways, analyzers, analyzerSeconds }),
  );
  const child = spawn(findProgram("nginx", "nginx"), ["-p", folder, "-c", path, "-g", "daemon off;"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    url: `http://127.0.0.1:${port}`,
    bodies: join(folder, "client_body"),
    exports: join(folder, "exports"),
    envelopes: join(folder, "envelopes"),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Places {
  readonly folder: string;
  readonly port: number;
  readonly gateways: readonly string[];
  readonly analyzers: readonly string[];
  readonly analyzerSeconds: number;
}

function onThisMachine(text: string, { folder, port, gateways, analyzers, analyzerSeconds }: Places): string {
  let changed = text
    // Added in nginx 1.27.3, and not needed for addresses.
    .replaceAll(/ resolve(?= max_fails)/g, "")
    .replaceAll("/tmp/", `${folder}/`)
    .replace("error_log stderr", `error_log ${folder}/error.log`)
    .replace("listen 8080", `listen 127.0.0.1:${port}`)
    .replace("proxy_read_timeout 60s", `proxy_read_timeout ${analyzerSeconds}s`);
  for (const [index, address] of gateways.entries()) changed = changed.replace(`gateway-${index + 1}:4000`, address);
  for (const [index, address] of analyzers.entries()) changed = changed.replace(`analyzer-${index + 1}:4000`, address);
  return changed;
}
