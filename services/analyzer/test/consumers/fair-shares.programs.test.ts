import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { makeOrganization, silent, startTestService, type TestService } from "../test-service.ts";

const queued = 1_000;

let service: TestService;
let consumers: Consumers | undefined;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await consumers?.stop(1_000);
  await service.close();
});

const text = await askedText("Error: boom\n    at f (/srv/a.js:1:1)", []);

async function open(scopeId: string): Promise<string> {
  const asked = incidentFromText(text, null, new Date(service.clock.now));
  return (await service.control.scope(scopeId).incidents.open(asked)).id;
}

describe("an organization with a thousand investigations queued", () => {
  it("doesn't delay another organization's that comes after them", async () => {
    const { id: noisy } = await makeOrganization(service, "noisy");
    const { id: quiet } = await makeOrganization(service, "quiet");
    const theirs = await Promise.all(Array.from({ length: queued }, () => open(noisy)));
    const ours = await open(quiet);
    const { control, events, queue, metrics, senderRequests } = service;
    consumers = startConsumers({ control, events, queue, metrics, senderRequests, clock: Date.now, logger: silent });
    const statusOf = async (scopeId: string, id: string) => (await control.scope(scopeId).incidents.find(id))?.status;
    await expect.poll(() => statusOf(quiet, ours)).toBe("completed");
    const waiting = (await control.outbox.pending(queued)).length;
    expect(waiting).toBeGreaterThan((queued * 9) / 10);
    expect(await statusOf(noisy, theirs[0] ?? "")).not.toBe("queued");
  });
});
