import { dayMs, hourMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storedEvent } from "../../stored-event.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  // The store forgets what is too old by its own clock.
  service.clock.now = Date.now();
  acme = await makeOrganization(service, "acme");
  const sent = (seq: number, instance: string, agoMs: number, changes = {}) => {
    const base = storedEvent(acme.id);
    const receivedAt = new Date(service.clock.now - agoMs).toISOString();
    return { ...base, event: { ...base.event, seq }, instance, receivedAt, ...changes };
  };
  await service.events.insert([
    sent(1, "lossy", 60_000),
    sent(2, "lossy", 50_000),
    sent(6, "lossy", 40_000, { dropped: [{ from_seq: 3, to_seq: 4, reason: "queue_full" }] }),
    sent(1, "whole", 30_000, { service: "payments" }),
    sent(1, "yesterday", dayMs),
    sent(1, "before", dayMs + 1_000),
  ]);
});
afterAll(() => service.close());

const ask = (query = "") => service.app.inject({ url: `/api/deliveries${query}`, headers: { "x-api-key": acme.key } });
const instances = async (query = ""): Promise<string[]> =>
  (await ask(query)).json().deliveries.map(({ instance }: { instance: string }) => instance);

describe("delivery accounts", () => {
  it("show for each process what arrived, what didn't, and why", async () => {
    const answer = await ask("?instance=lossy");
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      deliveries: [
        {
          ...{ instance: "lossy", service: "orders", env: "PROD", host: "h1", ended: false },
          first_received_at: new Date(service.clock.now - 60_000).toISOString(),
          last_received_at: new Date(service.clock.now - 40_000).toISOString(),
          ...{ received: 3, last_seq: 6, missing_events: 3 },
          missing: [
            { from_seq: 3, to_seq: 4, reason: "queue_full" },
            { from_seq: 5, to_seq: 5, reason: "unaccounted" },
          ],
        },
      ],
    });
  });

  it("cover the last 24 hours by default, the most recently active first", async () => {
    expect(await instances()).toEqual(["whole", "lossy", "yesterday"]);
    const since = new Date(service.clock.now - 2 * dayMs).toISOString();
    expect(await instances(`?since=${since}`)).toEqual(["whole", "lossy", "yesterday", "before"]);
    const elsewhere = new Date(service.clock.now - 60_000 + hourMs).toISOString().replace("Z", "+01:00");
    expect(await instances(`?since=${encodeURIComponent(elsewhere)}`)).toEqual(["whole", "lossy"]);
  });

  it("can be limited to one service and a number of accounts", async () => {
    expect(await instances("?service=payments")).toEqual(["whole"]);
    expect(await instances("?service=others")).toEqual([]);
    expect(await instances("?limit=1")).toEqual(["whole"]);
  });

  it("accept 1 to 200 per page, and a time with its zone", async () => {
    const statusOf = async (query: string) => (await ask(query)).statusCode;
    expect(await Promise.all([0, 1, 200, 201].map((limit) => statusOf(`?limit=${limit}`)))).toEqual([
      422, 200, 200, 422,
    ]);
    expect(await statusOf("?since=2026-03-01")).toBe(422);
    expect(await statusOf("?since=yesterday")).toBe(422);
  });

  it("require a key or a session", async () => {
    const answer = await service.app.inject({ url: "/api/deliveries", headers: { cookie: acme.cookie } });
    expect(answer.json().deliveries).toHaveLength(3);
    expect((await service.app.inject({ url: "/api/deliveries" })).statusCode).toBe(401);
  });
});
