import { afterAll, beforeAll } from "vitest";
import { type ClickHouseFront, startClickHouseFront } from "../../../../test/servers/clickhouse-front.ts";
import { openClickHouseServerEventStore } from "../../src/events/clickhouse-server.ts";
import { describeEventStore } from "../event-store.contract.ts";

let server: ClickHouseFront;
beforeAll(async () => {
  server = await startClickHouseFront();
});
afterAll(() => server.stop());

describeEventStore("clickhouse server", () =>
  openClickHouseServerEventStore({ url: server.url, retentionDays: 3_650 }),
);
