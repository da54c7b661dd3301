import { hourMs } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../../test/servers/server-process.ts";
import { WebhookServer } from "../../triggers/process/webhook-server.ts";
import { startTalkingVendors, type TalkingPlace, type TalkingVendor } from "./talking-vendors.ts";
import { startVendorsNearby, type VendorsNearby } from "./vendors-nearby.ts";

const kinds = ["slack", "linear", "github", "gitlab"] as const;
type Kind = (typeof kinds)[number];

let vendors: ReadonlyMap<Kind, TalkingVendor>;
let nearby: VendorsNearby;
let server: WebhookServer;

beforeAll(async () => {
  const all = await startTalkingVendors();
  vendors = new Map(all.map((vendor) => [vendor.kind, vendor]));
  nearby = await startVendorsNearby(Object.fromEntries(all.map(({ host, url }) => [host, url])));
  server = await WebhookServer.start(nearby);
  for (const { kind, inputs } of all) await server.addSource(kind, inputs);
});
afterAll(async () => {
  await server?.close();
  await nearby?.close();
  await Promise.all([...(vendors?.values() ?? [])].map((vendor) => vendor.close()));
});

function vendorOf(kind: Kind): TalkingVendor {
  const vendor = vendors.get(kind);
  if (!vendor) throw new Error(`there is no ${kind}`);
  return vendor;
}

/** A webhook that asks in the place, as the vendor signs it now. */
function asking(kind: Kind, place: TalkingPlace, { by = "", sentAt = new Date() } = {}) {
  return place.ask(by || (vendorOf(kind).secret ?? server.source(kind).secret ?? ""), sentAt);
}

/** What was said in a place, once the state says that it is answered. */
function answered(kind: Kind, place: TalkingPlace): Promise<readonly string[]> {
  const { done } = vendorOf(kind);
  return eventually(`an answer in ${kind}`, async () => (place.shown().join() === done ? place.said() : undefined));
}

const once = [expect.stringMatching(/\btotal\b/)];

describe.each(kinds)("someone who asks a server in %s", (kind) => {
  it("gets an acknowledgment and then one answer, even when the request is sent several times at once", async () => {
    const place = vendorOf(kind).place();
    const asked = asking(kind, place);
    const statuses = await Promise.all([server.deliver(kind, asked), server.deliver(kind, asked)]);
    expect([...statuses, await server.deliver(kind, asked)]).toEqual([200, 200, 200]);
    await eventually("an acknowledgment", async () => place.shown()[0]);
    expect(await answered(kind, place)).toEqual(once);
    expect(await server.deliver(kind, asked)).toBe(200);
    // Asked after it, and answered one after the other: what the repetition would start is there by then.
    const next = vendorOf(kind).place();
    expect(await server.deliver(kind, asking(kind, next))).toBe(200);
    expect(await answered(kind, next)).toEqual(once);
    expect(place.said()).toEqual(once);
  });

  it("is answered while someone else asks elsewhere", async () => {
    const places = [vendorOf(kind).place(), vendorOf(kind).place()];
    await Promise.all(places.map((place) => server.deliver(kind, asking(kind, place))));
    for (const place of places) expect(await answered(kind, place)).toEqual(once);
  });

  it("is refused with a signature that isn't the vendor's", async () => {
    const place = vendorOf(kind).place();
    const { body, headers } = asking(kind, place);
    expect(await server.deliver(kind, { body: body.replace("a", "b"), headers })).toBe(401);
    expect(await server.failureOf(kind)).toContain("a webhook was refused");
    expect([place.said(), place.shown()]).toEqual([[], []]);
  });
});

/** Asks in the place while its vendor is down. Returns the answer, and how many requests the vendor still refuses. */
async function askedWhileDown(kind: Kind) {
  const { host } = vendorOf(kind);
  const place = vendorOf(kind).place();
  nearby.takeDown(host, 6);
  const status = await server.deliver(kind, asking(kind, place));
  return { kind, status, said: await answered(kind, place), stillRefused: nearby.toRefuse(host) };
}

describe("someone who asks a server while the vendor is down", () => {
  it("is answered once it recovers, in every vendor's place", async () => {
    // All at once: each waits for the retries after an outage of its own vendor.
    expect(await Promise.all(kinds.map(askedWhileDown))).toEqual(
      kinds.map((kind) => ({ kind, status: 200, said: once, stillRefused: 0 })),
    );
  });
});

describe.each(kinds.filter((kind) => kind !== "github"))("a request in %s, which signs the time", (kind) => {
  it("is refused an hour after it was signed", async () => {
    const old = asking(kind, vendorOf(kind).place(), { sentAt: new Date(Date.now() - hourMs) });
    expect(await server.deliver(kind, old)).toBe(401);
  });
});

describe("a server that dies right after accepting requests", () => {
  it("answers each of them once when it runs again", async () => {
    const places = kinds.map((kind) => [kind, vendorOf(kind).place()] as const);
    for (const [kind, place] of places) expect(await server.deliver(kind, asking(kind, place))).toBe(200);
    await server.restart();
    for (const [kind, place] of places) expect(await answered(kind, place)).toEqual(once);
  });
});
