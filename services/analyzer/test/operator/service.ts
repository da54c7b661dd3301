import Fastify, { type FastifyInstance } from "fastify";
import { operatorToken } from "../../src/credentials.ts";
import { operatorRoutes } from "../../src/operator/routes.ts";
import type { TestService } from "../test-service.ts";

/** The operator interface over the storage of a test service. */
export async function mountOperator(service: TestService): Promise<{ app: FastifyInstance; token: string }> {
  const { queue, control, events, metrics, secretKey } = service;
  const token = operatorToken(secretKey);
  const app = Fastify();
  await app.register(operatorRoutes({ queue, control, events, metrics, token, clock: () => service.clock.now }));
  await app.ready();
  return { app, token };
}
