import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificates } from "../../../../../test/servers/cluster-certificates.ts";

/** Doubles of vendors over TLS, and what a server process needs to reach them under the vendors' own names. */
export interface VendorsNearby {
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  /** The vendor answers its next requests with 503. */
  takeDown(host: string, requests: number): void;
  /** How many of those requests are still to come. */
  toRefuse(host: string): number;
  close(): Promise<void>;
}

/** Serves the doubles, each at its URL, under the vendors' names. */
export async function startVendorsNearby(doubles: Readonly<Record<string, string>>): Promise<VendorsNearby> {
  const folder = await mkdtemp(join(tmpdir(), "whence-vendors-"));
  const names = Object.keys(doubles);
  const { authority, server: own } = await makeCertificates(names);
  await writeFile(join(folder, "authority.pem"), authority);
  const down = new Map<string, number>();
  const server = createServer(own, (request, response) => {
    const host = request.headers.host ?? "";
    const refusing = down.get(host) ?? 0;
    if (refusing === 0) return void pass(doubles[host] ?? "", request, response);
    down.set(host, refusing - 1);
    response.writeHead(503).end("down for maintenance");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      ...{ NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"), WHENCE_ALLOWED_NETWORKS: "127.0.0.0/8" },
      ...{ VENDOR_NAMES: names.join(), VENDOR_PORT: String(port) },
    },
    flags: ["--import", new URL("../../../../../test/e2e/programs/vendors-at-a-double.ts", import.meta.url).href],
    takeDown: (host, requests) => void down.set(host, requests),
    toRefuse: (host) => down.get(host) ?? 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Passes a request on to the double, and its answer back. */
async function pass(double: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { authorization = "", "content-type": type } = request.headers;
  const answer = await fetch(double + request.url, {
    method: request.method ?? "GET",
    headers: { authorization, ...(type === undefined ? {} : { "content-type": type }) },
    redirect: "manual",
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(bytes);
}
