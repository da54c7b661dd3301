import type { AddedAlertSource } from "@whence/protocol";
import { addressGuard, VendorFailure } from "@whence/vendors";
import { snsSource } from "@whence/vendors/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { conversationLimits } from "../../../src/conversations/conversation-limits.ts";
import { verifySource } from "../../../src/conversations/verify-source.ts";
import { FakeVendor, requestIn } from "../../conversations/fake-vendor.ts";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const vendor = new FakeVendor();
let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  // Sentry is entered, SNS is entered in the open, and the secret of a webhook is made.
  const vendors = { sentry: vendor, sns: vendor, webhook: vendor };
  service = await startTestService({}, false, {}, false, true, {}, vendors);
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());
beforeEach(() => {
  vendor.refusal = null;
});

const ask = (method: "GET" | "POST" | "PUT", path = "", payload?: object, cookie = acme.cookie) =>
  service.app.inject({ method, url: `/api/alert-sources${path}`, headers: { cookie }, ...(payload && { payload }) });
const add = async (kind: string, inputs: object = {}): Promise<AddedAlertSource> =>
  (await ask("POST", "", { kind, name: "Chat", inputs })).json();
const inputsOf = async (id: string) => (await service.control.alertSources.find(id))?.inputs;

describe("a source of conversations", () => {
  it("is verified once all required inputs were entered, and keeps what the vendor says about the bot", async () => {
    vendor.refusal = new VendorFailure("unauthorized", "must not be asked");
    const { id, has_conversations: has, inputs } = await add("sentry");
    expect([has, inputs]).toEqual([true, {}]);
    vendor.refusal = null;
    const entered = await ask("PUT", `/${id}/inputs`, { inputs: { secret: "shown by Sentry" } });
    expect(entered.json()).toMatchObject({ missing: [], inputs: { bot_id: "B1" } });
    expect(entered.body).not.toContain("shown by Sentry");
    expect(await inputsOf(id)).toEqual({ secret: "shown by Sentry", bot_id: "B1" });
    expect((await add("sns", { topic_arn: "arn:x" })).inputs).toEqual({ topic_arn: "arn:x", bot_id: "B1" });
  });

  it("whose vendor rejects the inputs is neither stored nor changed", async () => {
    const { id } = await add("sns", { topic_arn: "arn:x" });
    const { alert_sources: before } = (await ask("GET")).json();
    vendor.refusal = new VendorFailure("unauthorized", "Chat doesn't know this token");
    const refused = {
      ...{ code: "WHENCE_ERR_ALERT_SOURCE_REFUSED", detail: "Chat doesn't know this token. Nothing was stored" },
    };
    const added = await ask("POST", "", { kind: "sns", name: "x", inputs: { topic_arn: "arn:y" } });
    expect([added.statusCode, added.json()]).toEqual([409, expect.objectContaining(refused)]);
    const changed = await ask("PUT", `/${id}/inputs`, { inputs: { topic_arn: "arn:y" } });
    expect([changed.statusCode, changed.json()]).toEqual([409, expect.objectContaining(refused)]);
    expect((await ask("GET")).json().alert_sources).toEqual(before);
  });

  it("keeps inputs that aren't entered again, and what was generated for it", async () => {
    const { id } = await add("sentry", { secret: "first" });
    const changed = await ask("PUT", `/${id}/inputs`, { inputs: {} });
    expect(changed.json()).toMatchObject({ missing: [] });
    expect(await inputsOf(id)).toEqual({ secret: "first", bot_id: "B1" });
    const { id: made, secret } = await add("webhook");
    expect(await inputsOf(made)).toEqual({ secret, bot_id: "B1" });
  });

  it("isn't waited for longer than 15 seconds", async () => {
    const silentVendor = { open: () => vendor.open({}), verify: () => new Promise<never>(() => undefined) };
    const context = { vendors: { sns: silentVendor }, outbound: { mayReach: addressGuard([]), clock: Date.now } };
    await expect(verifySource(context, snsSource(), { topic_arn: "arn:x" }, 10)).rejects.toThrow(
      "AWS CloudWatch through SNS did not answer within 0.01 seconds",
    );
    expect(conversationLimits.verifiedWithinMs).toBe(15_000);
  });

  it("of a kind without conversations is asked nothing, and says so", async () => {
    vendor.refusal = new VendorFailure("unauthorized", "must not be asked");
    expect(await add("grafana")).toMatchObject({ has_conversations: false, inputs: {} });
  });
});

describe("the conversations of a source", () => {
  it.each([
    [50, 50],
    [51, 50],
  ])("of %i, the latest %i are listed for members, and for no other organization", async (count, listed) => {
    const { id } = await add("webhook");
    const { conversations } = service.control.scope(acme.id);
    for (let index = 0; index < count; index += 1) {
      const { place, ...request } = requestIn(`t${index}`);
      await conversations.ask(id, { ...request, place }, new Date(service.clock.now + index));
    }
    const member = await signInMember(service, acme.id, `member${count}@acme.example`, "member");
    const answer = (await ask("GET", `/${id}/conversations`, undefined, member)).json();
    expect(answer.conversations).toHaveLength(listed);
    expect(answer.conversations[0]).toEqual({
      ...{ thread: `t${count - 1}`, title: null, url: null, status: "PROCESSING", incident_id: null },
      ...{ asked_at: "2026-03-01T12:00:00.000Z", updated_at: expect.any(String), stopped_at: null, failed: null },
    });
    const other = await makeOrganization(service, `other-${count}`);
    expect((await ask("GET", `/${id}/conversations`, undefined, other.cookie)).statusCode).toBe(404);
  });
});
