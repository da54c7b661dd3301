import { afterAll } from "vitest";
import { startNatsServer } from "../../../../test/servers/nats-server.ts";
import { startPostgres } from "../../../../test/servers/postgres.ts";
import { startTestService } from "../test-service.ts";
import { describeTwoAnalyzers } from "./two-analyzers.ts";

const servers = Promise.all([startNatsServer(), startPostgres()]);
afterAll(async () => {
  for (const server of await servers) await server.stop();
});

describeTwoAnalyzers("JetStream, PostgreSQL", async () => {
  const [nats, postgres] = await servers;
  return startTestService({}, false, {
    nats: { servers: nats.urls, replicas: 1 },
    postgres: { url: await postgres.database() },
  });
});
