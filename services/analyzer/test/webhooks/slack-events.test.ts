import { webhooksTopic } from "@whence/storage";
import { hexHmac } from "@whence/vendors/testing/alert-senders/received";
import { mentionEvent } from "@whence/vendors/testing/slack/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestService } from "../test-service.ts";

const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";

let service: TestService;
let sourceId: string;
beforeAll(async () => {
  service = await startTestService();
  const { id: scopeId } = await makeOrganization(service, "acme");
  const added = await service.control.scope(scopeId).alertSources.add({
    ...{ kind: "slack", name: "Slack", inputs: {}, by: { id: "usr_1", name: "Ada" }, now: new Date() },
    secrets: { signing_secret: signingSecret, bot_token: "xoxb-1" },
  });
  sourceId = added.id;
});
afterAll(() => service.close());

function post(payload: object, headers: Readonly<Record<string, string>> = {}, secret = signingSecret) {
  const body = JSON.stringify(payload);
  const seconds = String(Math.floor(service.clock.now / 1_000));
  return service.app.inject({
    ...{ method: "POST", url: `/api/webhooks/${sourceId}`, payload: body },
    headers: {
      ...{ "content-type": "application/json", "x-slack-request-timestamp": seconds },
      "x-slack-signature": `v0=${hexHmac("sha256", secret, `v0:${seconds}:${body}`)}`,
      ...headers,
    },
  });
}

describe("an event of Slack over HTTP", () => {
  it("is answered with the challenge that verifies the address, and puts nothing on the queue", async () => {
    const answer = await post({ token: "t", type: "url_verification", challenge: "3eZbrw1aBm2rZgRNFdxV" });
    expect([answer.statusCode, answer.json()]).toEqual([200, { challenge: "3eZbrw1aBm2rZgRNFdxV" }]);
    expect((await service.queue.depth(webhooksTopic)).pending).toBe(0);
  });

  it("is on the queue once, without its signature, even when Slack sends it again", async () => {
    const retry = { "x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout" };
    for (const headers of [{}, retry]) expect((await post(mentionEvent(), headers)).statusCode).toBe(200);
    const { signal } = new AbortController();
    const taken = await service.queue.receive(webhooksTopic, { max: 10, waitMs: 0, signal });
    expect(taken.map(({ body }) => JSON.parse(body).headers)).toEqual([{}]);
  });

  it("is rejected with another signature", async () => {
    expect((await post(mentionEvent(), {}, "another")).statusCode).toBe(401);
  });
});
