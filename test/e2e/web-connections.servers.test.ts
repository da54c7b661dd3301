import { once } from "node:events";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { makeCertificates } from "../servers/cluster-certificates.ts";
import { type ClusterServer, startClusterServer } from "../servers/cluster-server.ts";
import { bootstrapKey, eventually } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import { becomeOwner, type OpenedService, openService, problemsEverywhere } from "./web-page.ts";

const host = "storefront-1";
const now = Date.now();
const at = new Date(now).toISOString();
const message = "Cannot read properties of undefined (reading 'total')";
const issue = {
  ...{ id: "1", shortId: "SHOP-1", title: `TypeError: ${message}`, culprit: "render.js in renderTotal", count: "7" },
  ...{ project: { id: "2", name: "storefront", slug: "storefront" }, metadata: { type: "TypeError", value: message } },
  ...{ permalink: "https://sentry.example/issues/1/", firstSeen: at, firstRelease: null, tags: [] },
};

/** What each host answers, by path, in the form that the vendor documents. */
const answers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "us.grafana.example": grafana("America"),
  "eu.grafana.example": grafana("Europe"),
  "sentry.example": {
    "/api/0/organizations/acme/": { name: "Acme", slug: "acme", links: { regionUrl: "https://sentry.example" } },
    "/api/0/organizations/acme/issues/": [issue],
    "/api/0/organizations/acme/issues/1/": issue,
  },
  "app.daytona.io": {
    "/api/api-keys/current": { name: "whence", organizationId: null },
    "/api/sandbox": {
      items: [{ id: "s1", name: "builder", state: "error", errorReason: "out of memory", updatedAt: at }],
      nextCursor: null,
    },
    "/api/sandbox/s1/telemetry/logs": { items: [] },
  },
  "api.e2b.app": {
    "/v2/sandboxes": [],
    "/events/sandboxes": [{ id: "e1", type: "sandbox.lifecycle.killed", timestamp: at, sandboxId: "i1" }],
    "/v2/sandboxes/i1/logs": { logs: [] },
  },
};

function grafana(region: string): Readonly<Record<string, unknown>> {
  const text = `Deployed storefront in ${region}`;
  return {
    "/api/org": { id: 1, name: region },
    "/api/datasources": [],
    "/api/annotations": [{ id: 1, time: now, timeEnd: now, text, tags: ["deploy", "service:storefront"], login: "ci" }],
    "/api/prometheus/grafana/api/v1/alerts": { status: "success", data: { alerts: [] } },
  };
}

let vendors: Server;
let clusters: readonly ClusterServer[] = [];
let opened: OpenedService;

beforeAll(async () => {
  const names = Object.keys(answers);
  const { authority, server: certificate } = await makeCertificates(names);
  vendors = createServer(certificate, ({ headers, url = "" }, response) => {
    const [name = ""] = (headers.host ?? "").split(":");
    const body = answers[name]?.[new URL(url, "https://double").pathname];
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? {}));
  });
  vendors.listen(0, "127.0.0.1");
  await once(vendors, "listening");
  clusters = [await startClusterServer(), await startClusterServer()];
  for (const { items } of clusters) items.events = [backOff];
  const { port } = vendors.address() as AddressInfo;
  opened = await openService({}, { names, port, authority });
  await becomeOwner(opened.page, opened.server);
  await opened.page.goto(`${opened.server.url}/settings/integrations`);
});
afterAll(async () => {
  await opened?.end();
  for (const cluster of clusters) await cluster.close();
  vendors?.closeAllConnections();
  vendors?.close();
});

const backOff = {
  metadata: { name: `${host}.1`, namespace: "shop", creationTimestamp: at },
  involvedObject: { kind: "Pod", name: host, namespace: "shop" },
  ...{ type: "Warning", reason: "BackOff", message: "Back-off restarting failed container", count: 3 },
  ...{ firstTimestamp: at, lastTimestamp: at, eventTime: null, source: { component: "kubelet" } },
};

function kubeconfig({ url, certificates, token }: ClusterServer): string {
  const authority = Buffer.from(certificates.authority).toString("base64");
  return JSON.stringify({
    clusters: [{ name: "prod", cluster: { server: url, "certificate-authority-data": authority } }],
    users: [{ name: "whence", user: { token } }],
    contexts: [{ name: "prod", context: { cluster: "prod", user: "whence" } }],
  });
}

/** Connects what a button names, and waits until the list has it. */
async function connect(button: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const { page } = opened;
  const connected = page.getByText("connected", { exact: true });
  const before = await connected.count();
  await page.getByRole("button", { name: button, exact: true }).click();
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.locator("form").getByRole("button", { name: "Connect" }).click();
  await connected.nth(before).waitFor();
}

const incidents = z.object({ incidents: z.array(z.object({ id: z.string() })) });

async function read<Body>(path: string, schema: z.ZodType<Body>): Promise<Body> {
  const answer = await fetch(`${opened.server.url}/api${path}`, { headers: { "x-api-key": bootstrapKey } });
  return schema.parse(await answer.json());
}

describe("an organization with several systems of one kind", () => {
  it("connects two clusters, two Grafanas, Daytona beside E2B, and a self-hosted Sentry on the page", async () => {
    const [first, second] = clusters;
    if (!first || !second) throw new Error("there aren't two clusters");
    await connect("Connect Kubernetes", { Kubeconfig: kubeconfig(first) });
    await connect("Connect another Kubernetes", { Kubeconfig: kubeconfig(second), Name: "eu" });
    const token = { "Service-account token": "glsa_token" };
    await connect("Connect Grafana", { "Instance URL": "https://us.grafana.example", ...token });
    await connect("Connect another Grafana", { "Instance URL": "https://eu.grafana.example", ...token, Name: "eu" });
    await connect("Connect Daytona or E2B", { "API key": "dtn_key-of-acme" });
    await connect("Connect another Daytona or E2B", { "API key": "e2b_key-of-acme", Name: "e2b" });
    await connect("Connect Sentry", {
      "Bearer token": "sntrys_token",
      "Organization slug": "acme",
      "Instance URL": "https://sentry.example",
    });
    expect(await problemsEverywhere(opened.page)).toEqual([]);
  });

  it("gets evidence from each of them, by its name", async () => {
    const failing = batchOf([exceptionEvent("renderTotal", 1)], {
      service: "storefront",
      host: { name: host, pid: 1, runtime: { name: "node", version: "26.0.0" }, os: "linux", arch: "x64" },
    });
    expect(await sendBatch(opened.server.url, bootstrapKey, failing)).toBe(true);
    const report = await eventually("a report of the failure", async () => {
      const [listed] = (await read("/incidents", incidents)).incidents;
      return listed ? (await read(`/incidents/${listed.id}`, incidentSchema)).report : undefined;
    });
    const names = (report?.evidence ?? []).flatMap(({ source: { kind, name } }) =>
      kind === "integration" ? name : [],
    );
    expect([...new Set(names)].toSorted()).toEqual([
      ...["Daytona", "E2B (e2b)", "Grafana", "Grafana (eu)", "Kubernetes", "Kubernetes (eu)", "Sentry"],
    ]);
  });

  it("leaves the console silent", () => {
    expect(opened.window.noticed).toEqual([]);
  });
});
