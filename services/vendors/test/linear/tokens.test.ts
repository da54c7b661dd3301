import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConversationClient, ConversationVendor } from "../../src/conversations/conversation-vendor.ts";
import { linearConversations } from "../../src/linear/conversation.ts";
import { LinearTokens } from "../../src/linear/tokens.ts";
import { application, type LinearDouble, startLinear } from "./linear-double.ts";
import { issueId } from "./samples.ts";

const { signal } = new AbortController();
const place = { issue: issueId, session: "session-1" };

let now: number;
let linear: LinearDouble;
let vendor: ConversationVendor;
let clients: ConversationClient[];

beforeEach(async () => {
  now = Date.parse("2026-03-01T12:00:00.000Z");
  linear = await startLinear();
  vendor = linearConversations();
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await linear.close();
});

function open(inputs: object = {}): ConversationClient {
  const client = vendor.open({ ...application, ...inputs }, { ...linear.context, clock: () => now });
  clients.push(client);
  return client;
}

describe("the access token of an application", () => {
  it("is requested once by all who need it at the same time, and kept for later callers", async () => {
    const [first, second] = [open(), open()];
    await Promise.all([first, first, second, second].map((client) => client.read(place, signal)));
    await open().read(place, signal);
    expect(linear.tokenRequests).toHaveLength(1);
  });

  it("is another one for another application", async () => {
    await open().read(place, signal);
    await open({ client_id: "client-of-globex" }).read(place, signal);
    expect(linear.tokenRequests.map((form) => form.get("client_id"))).toEqual(["client-of-acme", "client-of-globex"]);
  });

  it("is renewed when less than a minute of it is left", async () => {
    linear.shortenLives(3_600);
    const client = open();
    await client.read(place, signal);
    now += 3_539_000;
    await client.read(place, signal);
    expect(linear.tokenRequests).toHaveLength(1);
    now += 1_000;
    await Promise.all([client.read(place, signal), client.read(place, signal)]);
    expect(linear.tokenRequests).toHaveLength(2);
  });

  it("is renewed once for all callers that Linear tells it was revoked", async () => {
    const client = open();
    await client.read(place, signal);
    linear.revokeTokens();
    await Promise.all([1, 2, 3].map(() => client.read(place, signal)));
    expect(linear.tokenRequests).toHaveLength(2);
  });

  it("is renewed as well when Linear rejects it in the body of another status", async () => {
    const client = open();
    const errors = [{ message: "Authentication required", extensions: { type: "authentication error" } }];
    linear.answerQueries({ status: 400, body: { errors } });
    await expect(client.read(place, signal)).rejects.toMatchObject({ reason: "unauthorized" });
    expect(linear.tokenRequests).toHaveLength(2);
  });

  it("is kept for a limited number of applications, the most recently used", async () => {
    const tokens = new LinearTokens(2);
    const asked = async (clientId: string) => {
      const clientSecret = application.client_secret;
      return tokens.current({ clientId, clientSecret }, linear.context);
    };
    for (const clientId of ["a", "b", "b", "a", "c", "c", "b", "a"]) await asked(clientId);
    expect(linear.tokenRequests.map((form) => form.get("client_id"))).toEqual(["a", "b", "c", "a"]);
  });

  it("isn't kept when Linear didn't return one", async () => {
    const client = open();
    linear.answerTokenRequests({ status: 503 });
    await expect(client.read(place, signal)).rejects.toMatchObject({ reason: "unavailable" });
    linear.answerTokenRequests({ body: { access_token: "token", token_type: "Bearer" } });
    linear.answerQueries({ body: { data: { issue: null } } });
    await expect(client.read(place, signal)).rejects.toMatchObject({ reason: "unexpected-answer" });
    expect(linear.tokenRequests).toHaveLength(2);
  });
});

describe("a refusal by Linear", () => {
  const error = (code: string, message = "refused") => ({ errors: [{ message, extensions: { code } }] });
  const inAnHour = String(Date.parse("2026-03-01T13:00:00.000Z"));
  const usedUp = { "x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": inAnHour };

  it.each([
    ["401", { status: 401 }, { reason: "unauthorized" }],
    ["403", { status: 403 }, { reason: "forbidden" }],
    ["429", { status: 429, headers: { "retry-after": "60" } }, { reason: "rate-limited", retryAfterMs: 60_000 }],
    [
      "its rate limit with 400",
      { status: 400, headers: usedUp, body: error("RATELIMITED") },
      { reason: "rate-limited", retryAfterMs: 3_600_000 },
    ],
    ["its rate limit without saying which", { status: 400, body: error("RATELIMITED") }, { reason: "rate-limited" }],
    ["500", { status: 500 }, { reason: "unavailable" }],
    ["an error of its own", { body: { ...error("INTERNAL_SERVER_ERROR"), data: null } }, { reason: "unavailable" }],
    ["a scope that is missing", { body: error("FORBIDDEN", "Invalid scope: write required") }, { reason: "forbidden" }],
    ["what isn't there", { body: error("INPUT_ERROR", "Entity not found: Issue") }, { reason: "not-found" }],
    ["an input", { status: 400, body: error("INPUT_ERROR", "secret-of-acme") }, { reason: "unexpected-answer" }],
    ["a query", { status: 400, body: { errors: [{ message: "secret-of-acme" }] } }, { reason: "unexpected-answer" }],
    ["what is no JSON", { body: "<html>" }, { reason: "unexpected-answer" }],
    ["another shape", { body: { hello: 1 } }, { reason: "unexpected-answer" }],
    ["data of another shape", { body: { data: { hello: 1 } } }, { reason: "unexpected-answer" }],
    ["no success", { body: { data: { done: { success: false } } } }, { reason: "unexpected-answer" }],
  ])("keeps the reason of %s, without the credentials", async (_name, answer, expected) => {
    const client = open();
    linear.answerQueries(answer);
    const message = { purpose: "answer", headline: "payments 2.0.0 broke orders.", parts: [], link: null } as const;
    for (const asked of [
      () => client.read(place, signal),
      () => client.post(place, message, { replaces: null, key: "post-1", signal }),
    ]) {
      const failure = await asked().catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ name: "VendorFailure", ...expected });
      expect(String(failure)).not.toMatch(/secret-of-acme|token-\d/);
    }
  });

  it("is the caller's own reason once the caller aborts", async () => {
    const controller = new AbortController();
    const reason = new Error("the time is up");
    linear.holdQueries(() => controller.abort(reason));
    await expect(open().read(place, controller.signal)).rejects.toBe(reason);
  });
});
