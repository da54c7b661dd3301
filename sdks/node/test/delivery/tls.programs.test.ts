import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { type Batch, batchSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeServer, listen } from "../gateway.ts";
import { runtimes } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const run = promisify(execFile);
const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];

let sdk: SdkBuild;
let directory: string;
beforeAll(async () => {
  sdk = await buildSdk();
  directory = await mkdtemp(join(tmpdir(), "whence-tls-"));
  const files = ["-keyout", join(directory, "key.pem"), "-out", join(directory, "certificate.pem")];
  await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject]);
});
afterAll(async () => {
  await sdk.remove();
  await rm(directory, { recursive: true });
});

/** Runs a program that captures an error, then crashes, against a gateway with TLS only. */
async function received(node: string, environment: Record<string, string>): Promise<Batch[]> {
  const batches: Batch[] = [];
  const server = createServer(
    { key: await readFile(join(directory, "key.pem")), cert: await readFile(join(directory, "certificate.pem")) },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        const json = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
        batches.push(batchSchema.parse(JSON.parse(json.toString())));
        response.writeHead(202).end("{}");
      });
    },
  );
  const endpoint = `https://localhost:${await listen(server)}`;
  const env = {
    TMPDIR: temporaryFolder(),
    WHENCE_SDK: join(sdk.folder, "index.cjs"),
    WHENCE_ENDPOINT: endpoint,
    ...environment,
  };
  // It exits because of its crash.
  await run(node, [join(import.meta.dirname, "../programs", "tls.cjs")], { env }).catch(() => undefined);
  await closeServer(server);
  return batches;
}

describe("over TLS", () => {
  // requirement: telemetry.https
  it.each(runtimes)("errors arrive, including the fatal one, on Node $name", async ({ path }) => {
    const trusting = { NODE_EXTRA_CA_CERTS: join(directory, "certificate.pem") };
    const batches = await received(path, trusting);
    const exceptions = batches.flatMap(({ events }) => events.filter(({ type }) => type === "exception"));
    // A send that takes too long is repeated: what arrives twice counts once.
    const messages = new Map(exceptions.map(({ id, message }) => [id, message]));
    expect([...messages.values()]).toEqual(["caught", "the end"]);
  });

  it("nothing is sent to a server with an untrusted certificate", async () => {
    expect(await received(process.execPath, {})).toEqual([]);
  });
});
