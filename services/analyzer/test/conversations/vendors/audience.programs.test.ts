import { alertSourceListSchema, conversationListSchema } from "@whence/protocol";
import { addressGuard, conversationVendors } from "@whence/vendors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Consumers, startConsumers } from "../../../src/start-consumers.ts";
import {
  appUrl,
  makeOrganization,
  signInMember,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";
import { startTalkingVendors, type TalkingPlace, type TalkingVendor } from "../process/talking-vendors.ts";

const readByOthers = "people from outside of the organization can read it, and the source doesn't answer there";
const kinds = ["slack", "linear", "github", "gitlab"] as const;
type Kind = (typeof kinds)[number];
/** Of a fact that comes with time. */
const often = { interval: 20 };

let service: TestService;
let consumers: Consumers;
let acme: TestOrganization;
let vendors: ReadonlyMap<Kind, TalkingVendor>;
const sources = new Map<Kind, { readonly id: string; readonly url: string; readonly secret: string }>();

beforeAll(async () => {
  const all = await startTalkingVendors();
  vendors = new Map(all.map((vendor) => [vendor.kind, vendor]));
  const outbound = {
    mayReach: addressGuard(["127.0.0.0/8"]),
    clock: () => service.clock.now,
    addressOf(documented: string): string {
      const { hostname, pathname } = new URL(documented);
      return (all.find(({ host }) => host === hostname)?.url ?? documented) + pathname;
    },
  };
  service = await startTestService({}, false, {}, false, true, outbound, conversationVendors);
  service.clock.now = Date.now();
  acme = await makeOrganization(service, "acme");
  const { control, events, queue, metrics, senderRequests, clock } = service;
  consumers = startConsumers({
    ...{ control, events, queue, metrics, senderRequests, logger: silent, clock: () => clock.now },
    conversations: { vendors: conversationVendors, outbound, appUrl },
  });
  for (const { kind, inputs, secret } of all) {
    const { id, url, secret: made } = (await ask("POST", "", { kind, name: kind, inputs })).json();
    sources.set(kind, { id, url, secret: secret ?? made });
  }
});
afterAll(async () => {
  await consumers?.stop(2_000);
  await service?.close();
  await Promise.all([...(vendors?.values() ?? [])].map((vendor) => vendor.close()));
});
beforeEach(async () => {
  for (const kind of kinds) await answerPublicly(kind, false);
});

const ask = (method: "GET" | "POST" | "PUT", path = "", payload?: object, cookie = acme.cookie) =>
  service.app.inject({ method, url: `/api/alert-sources${path}`, headers: { cookie }, ...(payload && { payload }) });
const answerPublicly = (kind: Kind, isSet: boolean, cookie?: string) =>
  ask("PUT", `/${sourceOf(kind).id}/audience`, { answers_publicly: isSet }, cookie);

function sourceOf(kind: Kind) {
  const source = sources.get(kind);
  if (!source) throw new Error(`there is no source of ${kind}`);
  return source;
}

function vendorOf(kind: Kind): TalkingVendor {
  const vendor = vendors.get(kind);
  if (!vendor) throw new Error(`there is no ${kind}`);
  return vendor;
}

/** Delivers the webhook by which someone asks in the place. */
async function askedIn(kind: Kind, place: TalkingPlace): Promise<void> {
  const { url, secret } = sourceOf(kind);
  const { body, headers } = place.ask(secret, new Date(service.clock.now));
  const sent = { method: "POST", url: new URL(url).pathname, payload: body, headers } as const;
  expect((await service.app.inject(sent)).statusCode).toBe(200);
}

/** Why the conversation that changed last was refused. */
async function refusal(kind: Kind): Promise<string | null> {
  const listed = (await ask("GET", `/${sourceOf(kind).id}/conversations`)).json();
  const failed = conversationListSchema.parse(listed).conversations.find(({ status }) => status === "FAILED")?.failed;
  return failed?.refused ? failed.reason : null;
}

/** Waits until as many conversations of the source were refused. */
async function refusedAs(kind: Kind, place: TalkingPlace, reason: unknown): Promise<void> {
  service.clock.now += 1;
  const { conversations } = service.control.scope(acme.id);
  const count = async () =>
    (await conversations.list(sourceOf(kind).id, 100)).filter(({ failed }) => failed?.refused).length;
  const before = await count();
  await askedIn(kind, place);
  await expect.poll(count, often).toBe(before + 1);
  expect(await refusal(kind)).toEqual(reason);
  expect([place.said(), place.shown()]).toEqual([[], []]);
}

async function answeredIn(kind: Kind, place: TalkingPlace): Promise<void> {
  await askedIn(kind, place);
  await expect.poll(() => place.shown().join(), often).toBe(vendorOf(kind).done);
  expect(place.said()).toEqual([expect.stringMatching(/\btotal\b/)]);
}

describe.each(kinds)("someone who asks in %s", (kind) => {
  it("is answered as a member, where only members read", () => answeredIn(kind, vendorOf(kind).place()));

  it("gets nothing without a role", async () => {
    for (const name of Object.keys(vendorOf(kind).place().strangers)) {
      const place = vendorOf(kind).place();
      place.strangers[name]?.();
      await refusedAs(kind, place, expect.stringMatching(/ has no role there$/));
    }
  });

  it("gets nothing as a member where outsiders can read", async () => {
    for (const name of Object.keys(vendorOf(kind).place().publicities)) {
      const place = vendorOf(kind).place();
      place.publicities[name]?.();
      await refusedAs(kind, place, readByOthers);
    }
  });

  it("is answered there as a member, and still not without a role, once an owner has allowed it", async () => {
    expect((await answerPublicly(kind, true)).json()).toMatchObject({ answers_publicly: true });
    const names = Object.keys(vendorOf(kind).place().publicities);
    for (const name of names) {
      const place = vendorOf(kind).place();
      place.publicities[name]?.();
      await answeredIn(kind, place);
    }
    const place = vendorOf(kind).place();
    for (const open of Object.values(place.publicities)) open();
    Object.values(place.strangers)[0]?.();
    await refusedAs(kind, place, expect.stringMatching(/ has no role there$/));
  });
});

describe("where a source answers", () => {
  it("is set by owners alone, of their own organization, and is in the audit log", async () => {
    const member = await signInMember(service, acme.id, "member@acme.example", "member");
    const other = await makeOrganization(service, "other");
    const statuses = [await answerPublicly("github", true, member), await answerPublicly("github", true, other.cookie)];
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([403, 404]);
    const listed = async () => alertSourceListSchema.parse((await ask("GET")).json()).alert_sources;
    expect((await listed()).map((source) => source.answers_publicly)).toEqual([false, false, false, false]);
    await answerPublicly("github", true);
    await answerPublicly("github", false);
    const { cookie } = acme;
    const { entries } = (await service.app.inject({ url: "/api/audit?limit=2", headers: { cookie } })).json();
    expect(entries).toMatchObject([
      { action: "alert-source.closed", target: "github" },
      { action: "alert-source.opened", target: "github" },
    ]);
  });

  it("isn't set by anything but a boolean", async () => {
    const wrong = await ask("PUT", `/${sourceOf("github").id}/audience`, { answers_publicly: "yes" });
    expect(wrong.statusCode).toBe(422);
  });
});
