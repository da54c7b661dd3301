import { addressGuard } from "@whence/vendors";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { appUrl, silent, startTestService, type TestService } from "../test-service.ts";
import { Conversing } from "./conversing.ts";
import { requestIn } from "./fake-vendor.ts";

let service: TestService;
let consumers: Consumers;
let our: Conversing;

beforeAll(async () => {
  service = await startTestService();
  our = await Conversing.begin(service);
  const { control, events, queue, metrics, senderRequests } = service;
  consumers = startConsumers({
    ...{ control, events, queue, metrics, senderRequests, clock: Date.now, logger: silent },
    conversations: {
      vendors: { webhook: our.vendor },
      outbound: { mayReach: addressGuard([]), clock: Date.now },
      appUrl,
    },
  });
});
afterAll(async () => {
  await consumers.stop(1_000);
  await service.close();
});

it("an analyzer investigates what people discuss, and posts the cause", async () => {
  our.vendor.discussions.set("t", { text: "TypeError: total is undefined\n    at pay (/app/pay.js:3:9)" });
  await our.scope.conversations.ask(our.sourceId, requestIn("t"), new Date());
  await expect.poll(() => our.vendor.states.get("t")).toBe("COMPLETED");
  const [answer, ...more] = our.vendor.said("t");
  expect([answer?.includes("total"), more]).toEqual([true, []]);
  expect(await our.conversation("t")).toMatchObject({ status: "COMPLETED", failed: null });
});
