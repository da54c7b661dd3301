import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyScope } from "@whence/protocol";
import { openStorage, type Storage } from "@whence/storage";
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from "fastify";
import { Registry } from "prom-client";
import { type GatewayOptions, gatewayRoutes } from "../src/app.ts";
import { gatewayMetrics } from "../src/metrics.ts";
import { hashOf } from "./hash-of.ts";

export const path = "/api/telemetry/events";

/**
 * Opens real storage in a folder of its own. The engine binds one folder per process, so a test file opens only one.
 */
export async function openTestStorage(): Promise<Storage> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "whence-gateway-"));
  const storage = await openStorage({ dataDirectory, secretKeys: [randomBytes(32)] });
  return {
    ...storage,
    async close() {
      await storage.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Builds an app with the gateway's route, without listening. */
export async function buildApp(
  options: Partial<GatewayOptions> & Pick<GatewayOptions, "queue" | "keys" | "usage" | "secrets">,
): Promise<FastifyInstance> {
  const app = Fastify();
  const metrics = gatewayMetrics(new Registry());
  await app.register(gatewayRoutes({ metrics, clock: Date.now, telemetryPerMinutePerKey: 100_000, ...options }));
  return app;
}

export function newKey(prefix = "whk_"): string {
  return prefix + randomBytes(24).toString("hex");
}

/** Creates an organization with a key. */
export async function organizationWithKey(
  { control }: Storage,
  slug: string,
  now = new Date(),
  scope: KeyScope = "send",
): Promise<{ id: string; key: string; keyId: string }> {
  const { id } = await control.organizations.ensure({ slug, name: slug, now });
  const key = newKey();
  const { id: keyId } = await control.keys.add({
    organizationId: id,
    name: "k",
    hash: hashOf(key),
    prefix: "whk_",
    scope,
    now,
  });
  return { id, key, keyId };
}

/** Sends a batch, or any other body, as a client with this key. */
export function send(
  app: FastifyInstance,
  key: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const payload = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return app.inject({
    method: "POST",
    url: path,
    headers: { "content-type": "application/json", "x-api-key": key, ...headers },
    payload,
  });
}
