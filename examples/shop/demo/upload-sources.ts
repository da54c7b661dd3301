import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { DemoError } from "./demo-error.ts";
import { firstRelease, runningServices, shopFolder, type Telemetry } from "./shop.ts";

const run = promisify(execFile);
const command: string = join(import.meta.dirname, "../../../sdks/agent/src/main.ts");

/** The code of a service's release. */
export interface SourcesOfRelease {
  readonly service: string;
  readonly release: string;
  readonly folder: string;
}

/** Uploads the code of the whole shop. */
export async function uploadShop(server: Telemetry, signal: AbortSignal): Promise<void> {
  const uploads = runningServices().map((service) =>
    uploadSources({ service, release: firstRelease, folder: join(shopFolder, service) }, server, signal),
  );
  await Promise.all(uploads);
}

/** Uploads the code of a release with `whence sources upload`, as a deployment pipeline does. */
export async function uploadSources(
  { service, release, folder }: SourcesOfRelease,
  { url, apiKey }: Telemetry,
  signal: AbortSignal,
): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const args = ["sources", "upload", "--service", service, "--release", release, folder];
  try {
    await run(process.execPath, ["--conditions=@whence/source", command, ...args], {
      env: { PATH, NODE_COMPILE_CACHE, WHENCE_URL: url, WHENCE_API_KEY: apiKey },
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new DemoError(`whence sources upload failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
