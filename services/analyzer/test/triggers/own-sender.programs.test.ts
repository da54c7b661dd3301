import { type AddedAlertSource, addedAlertSourceSchema, alertSourceListSchema } from "@whence/protocol";
import { type AlertSender, alertSenders, headerOf, isSameToken } from "@whence/vendors";
import { alertSendersOf } from "@whence/vendors/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

const pingSchema = z.object({ id: z.string(), page: z.string(), since: z.iso.datetime() });

/** A trigger as its file declares it. */
const uptime: AlertSender = {
  kind: "uptime",
  label: "Uptime robot",
  inputs: [
    { name: "site", label: "Site", is_secret: false, is_made: false },
    { name: "secret", label: "Token", is_secret: true, is_made: true },
  ],
  keptHeaders: ["x-region"],
  setup: (address) => `1. Post to ${address}.`,
  verify: (webhook, { secret = "" }) => isSameToken(headerOf(webhook, "x-token") ?? "", secret),
  deliveryId: ({ body }) => pingSchema.parse(JSON.parse(body.toString())).id,
  read(body, webhook, { site = "" }) {
    const { id, page, since } = pingSchema.parse(body);
    const seen = { severity: null, service: site, env: null, at: since, url: null };
    const text = `${page} doesn't answer in ${headerOf(webhook, "x-region")}`;
    return [{ kind: "alert", alert: { key: id, state: "firing", title: `${page} is down`, text, ...seen } }];
  },
};

let service: TestService;
let acme: TestOrganization;
let consumers: Consumers;

beforeAll(async () => {
  const senders = alertSendersOf([...alertSenders.all, uptime]);
  service = await startTestService({}, false, {}, false, true, {}, {}, senders);
  acme = await makeOrganization(service, "acme");
  const { control, events, queue, metrics, senderRequests } = service;
  consumers = startConsumers({
    ...{ control, events, queue, metrics, senderRequests, senders, clock: Date.now, logger: silent },
  });
});
afterAll(async () => {
  await consumers.stop(1_000);
  await service.close();
});

const ask = async (path: string, payload?: object): Promise<unknown> => {
  const sent = payload && { method: "POST" as const, payload };
  return (await service.app.inject({ url: path, headers: { cookie: acme.cookie }, ...sent })).json();
};
const add = async (inputs: object): Promise<AddedAlertSource> =>
  addedAlertSourceSchema.parse(await ask("/api/alert-sources", { kind: "uptime", name: "Robot", inputs }));

it("lists a sender that is only in the list of senders among the kinds, after the others", async () => {
  const { kinds } = alertSourceListSchema.parse(await ask("/api/alert-sources"));
  expect(kinds.map(({ kind }) => kind)).toEqual([...alertSenders.all.map(({ kind }) => kind), "uptime"]);
  expect(kinds.at(-1)).toEqual({ kind: "uptime", label: "Uptime robot", inputs: uptime.inputs });
});

it("adds a source of it with its inputs, and says how it is set up", async () => {
  const { url, setup, secret, missing, inputs } = await add({ site: "shop" });
  expect(setup).toBe(`1. Post to ${url}.`);
  expect([missing, inputs, secret]).toEqual([[], { site: "shop" }, expect.stringMatching(/^whsec_/)]);
  expect((await add({})).missing).toEqual(["site"]);
});

it("rejects a source of a kind that isn't in the list", async () => {
  expect(await ask("/api/alert-sources", { kind: "pingdom", name: "Robot" })).toMatchObject({
    detail: [{ loc: ["body", "kind"], type: "enum", msg: expect.stringMatching(/'webhook', 'uptime'$/) }],
  });
});

it("opens an incident for its webhook, named after the sender and read with the header that it keeps", async () => {
  const { id, url, secret } = await add({ site: "shop" });
  const payload = { id: "p1", page: "/cart", since: "2026-03-01T11:58:00.000Z" };
  const headers = { "x-token": secret ?? "", "x-region": "eu-west-1", "x-other": "dropped" };
  const posted = await service.app.inject({ method: "POST", url: new URL(url).pathname, payload, headers });
  expect(posted.json()).toEqual({ received: true });
  const alertsSchema = z.object({ alerts: z.array(z.object({ incident_id: z.string() })) });
  const alerts = async () => alertsSchema.parse(await ask(`/api/alert-sources/${id}/alerts`)).alerts;
  await expect.poll(alerts).toHaveLength(1);
  const [alert] = await alerts();
  expect(await ask(`/api/incidents/${alert?.incident_id}`)).toMatchObject({
    ...{ title: "/cart is down", service: "shop", decision: { reason: "Uptime robot announced it" } },
    trigger: { kind: "alert", source: "uptime", sender: "Uptime robot", source_id: id, key: "p1" },
  });
});
