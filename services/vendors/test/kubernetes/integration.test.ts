import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ClusterServer, startClusterServer } from "../../../../test/servers/cluster-server.ts";
import { addressGuard } from "../../src/http/address-guard.ts";
import type { VendorConnection } from "../../src/integrations/integration.ts";
import { kubernetes } from "../../src/kubernetes/integration.ts";
import { question } from "../integrations/question.ts";
import { container, deployment, ended, pod, replicaSet, warning } from "./objects.ts";
import { unlikeKubernetes } from "./published-schemas.ts";

let cluster: ClusterServer;
let connection: VendorConnection;
const { signal } = new AbortController();
const at = "2026-03-01T11:58:00Z";
const running = { running: { startedAt: "2026-03-01T11:58:10Z" } };

beforeAll(async () => {
  cluster = await startClusterServer();
});
afterAll(() => cluster.close());
beforeEach(() => {
  Object.assign(cluster.items, { pods: [], events: [], replicasets: [], deployments: [] });
  cluster.logs.clear();
  cluster.forbidden.clear();
  cluster.requests.length = 0;
  connection = connect({ token: cluster.token });
});
afterEach(async () => {
  await connection.close();
  expect(unlikeKubernetes(cluster)).toEqual([]);
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function connect(user: object, ofCluster: object = {}, namespace?: string): VendorConnection {
  const authority = { "certificate-authority-data": base64(cluster.certificates.authority) };
  const kubeconfig = JSON.stringify({
    clusters: [{ name: "prod", cluster: { server: cluster.url, ...authority, ...ofCluster } }],
    users: [{ name: "ops", user }],
    contexts: [{ name: "prod", context: { cluster: "prod", user: "ops", namespace } }],
  });
  return kubernetes.connect({ kubeconfig }, { mayReach: addressGuard(["127.0.0.0/8"]), clock: Date.now });
}

const ask = () => connection.ask(question, signal);
const paths = () => cluster.requests.map(({ pathname }) => pathname);

describe("what Kubernetes reports", () => {
  it("is that a container was killed for using too much memory, and its last log lines", async () => {
    const status = { containerStatuses: [container(running, ended(137, "OOMKilled", at), 4)] };
    cluster.items.pods = [pod("orders-7d9f", status)];
    cluster.logs.set("orders-7d9f/app", "2026-03-01T11:57:59.123456789Z heap is full\n2026-03-01T09:00:00Z long ago\n");
    expect(await ask()).toEqual([
      {
        ...{ kind: "problem", what: "out-of-memory", vendor: "Kubernetes", target: "orders-7d9f", url: null },
        title: "container app: exit code 137 (OOMKilled), restarted 4 times",
        ...{ since: "2026-03-01T11:58:00.000Z", until: "2026-03-01T11:58:10.000Z" },
      },
      {
        ...{ kind: "log", vendor: "Kubernetes", level: null, message: "heap is full", source: "orders-7d9f/app" },
        ...{ at: "2026-03-01T11:57:59.123Z", count: 1, url: null },
      },
    ]);
    const log = cluster.requests.find(({ pathname }) => pathname.endsWith("/log"));
    expect(Object.fromEntries(log?.searchParams ?? [])).toMatchObject({
      ...{ container: "app", previous: "true", timestamps: "true", tailLines: "8", limitBytes: "32768" },
    });
  });

  it.each([
    [
      "crash-loop",
      { containerStatuses: [container({ waiting: { reason: "CrashLoopBackOff" } }, ended(1, "Error", at), 9)] },
    ],
    [
      "image-pull",
      { containerStatuses: [container({ waiting: { reason: "ImagePullBackOff", message: "no such tag" } })] },
    ],
    ["restart", { containerStatuses: [container(running, ended(1, "Error", at), 1)] }],
    // Killed, which isn't always for its memory: a probe that fails ends in the same code.
    ["restart", { containerStatuses: [container(running, ended(137, "Error", at), 1)] }],
    ["out-of-memory", { initContainerStatuses: [container(ended(137, "OOMKilled", at))] }],
    ["alarm", { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory." }],
    [
      "unschedulable",
      {
        phase: "Pending",
        conditions: [
          {
            ...{ type: "PodScheduled", status: "False", reason: "Unschedulable", lastTransitionTime: at },
            message: "0/3 nodes are available: 3 Insufficient memory.",
          },
        ],
      },
    ],
  ])("is a %s by the state of the pod", async (what, status) => {
    cluster.items.pods = [pod("orders-7d9f", status)];
    expect(await ask()).toMatchObject([{ kind: "problem", what, target: "orders-7d9f" }]);
  });

  it.each([
    ["BackOff", "Back-off restarting failed container app", "crash-loop"],
    ["BackOff", "Back-off pulling image", "image-pull"],
    ["FailedScheduling", "0/3 nodes are available", "unschedulable"],
    ["Unhealthy", "Readiness probe failed: 503", "failed-check"],
    ["FailedMount", "secret not found", "alarm"],
  ])("is a warning %s: %s", async (reason, message, what) => {
    cluster.items.pods = [pod("orders-1", {})];
    cluster.items.events = [warning("orders-1", reason, message, at), warning("payments-1", reason, message, at)];
    expect(await ask()).toMatchObject([{ what, target: "orders-1", title: `${reason}: ${message} (3 times)` }]);
  });

  it("leaves out what ended, or was warned about, before the span", async () => {
    const before = "2026-03-01T10:59:59Z";
    cluster.items.pods = [pod("orders-1", { containerStatuses: [container(running, ended(1, "Error", before), 1)] })];
    const old = { ...warning("orders-1", "Unhealthy", "503", before), firstTimestamp: before };
    cluster.items.events = [old, { ...old, lastTimestamp: question.from }];
    expect(await ask()).toMatchObject([{ what: "failed-check" }]);
    expect(paths().some((path) => path.endsWith("/log"))).toBe(false);
  });

  it("is what was rolled out in the span, with the previous images", async () => {
    cluster.items.pods = [pod("orders-1", {})];
    cluster.items.deployments = [deployment()];
    cluster.items.replicasets = [replicaSet(1, 1, "2026-02-01T00:00:00Z"), replicaSet(2, 2, "2026-03-01T11:50:00Z")];
    const title = "revision 2: registry.example/orders:2.0.0; before: registry.example/orders:1.0.0";
    expect(await ask()).toEqual([
      {
        ...{ kind: "change-event", what: "rollout", vendor: "Kubernetes", target: "orders", title, url: null },
        ...{ at: "2026-03-01T11:50:00.000Z", by: null, failed: false },
      },
    ]);
    cluster.items.deployments = [deployment({ status: "False", reason: "ProgressDeadlineExceeded" })];
    expect(await ask()).toMatchObject([{ failed: true }]);
  });

  it("is a rollback, which makes an old replica set the newest revision", async () => {
    cluster.items.pods = [pod("orders-1", {})];
    cluster.items.deployments = [deployment()];
    cluster.items.replicasets = [replicaSet(1, 3, "2026-02-01T00:00:00Z"), replicaSet(2, 2, "2026-02-02T00:00:00Z")];
    expect(await ask()).toMatchObject([
      { at: "2026-03-01T11:55:00.000Z", title: /^revision 3: .*orders:1\.0\.0; before/ },
    ]);
  });

  it("is the events of a pod that is gone", async () => {
    cluster.items.events = [warning(question.host, "BackOff", "Back-off restarting failed container", at)];
    expect(await ask()).toMatchObject([{ what: "crash-loop", target: question.host }]);
  });
});

describe("querying Kubernetes", () => {
  it("finds pods by either label and by the hostname, and no others", async () => {
    const restarted = { containerStatuses: [container(running, ended(1, "Error", at), 1)] };
    cluster.items.pods = [
      pod("orders-1", restarted),
      pod("orders-2", restarted, { labels: { app: "orders" } }),
      pod(question.host, restarted, { labels: {} }),
      pod("payments-1", restarted, { labels: { app: "payments" } }),
    ];
    const targets = (await ask()).map((finding) => ("target" in finding ? finding.target : null));
    expect(targets.sort()).toEqual(["orders-1", "orders-2", question.host]);
  });

  it.each([
    [250, 1],
    [251, 2],
    [1_251, 5],
  ])("reads the pages of a list, up to 5: of %i pods, %i", async (count, pages) => {
    cluster.items.pods = Array.from({ length: count }, (_, index) => pod(`orders-${index}`, {}));
    await ask();
    const ofLabel = cluster.requests.filter(
      (url) => url.searchParams.get("labelSelector") === "app.kubernetes.io/name=orders",
    );
    expect(ofLabel).toHaveLength(pages);
  });

  it("stays in the namespace that the kubeconfig names", async () => {
    await connection.close();
    connection = connect({ token: cluster.token }, {}, "shop");
    expect(await connection.verify(signal)).toBe("cluster prod, namespace shop");
    cluster.items.pods = [pod("orders-1", {})];
    await ask();
    expect(paths().filter((path) => !path.includes("/namespaces/shop/"))).toEqual([]);
  });

  it("puts only valid names into a selector", async () => {
    await connection.ask({ ...question, service: "a,b=c", host: "Laptop of Ada" }, signal);
    expect(cluster.requests).toEqual([]);
  });
});

describe("a connection to Kubernetes", () => {
  it("is verified by what an investigation reads, with a token or a client certificate", async () => {
    expect(await connection.verify(signal)).toBe("cluster prod");
    const { cert, key } = cluster.certificates.client;
    const byCertificate = connect({ "client-certificate-data": base64(cert), "client-key-data": base64(key) });
    expect(await byCertificate.verify(signal)).toBe("cluster prod");
    await byCertificate.close();
    const asNamed = connect({ token: cluster.token }, { "tls-server-name": "cluster.example" });
    expect(await asNamed.verify(signal)).toBe("cluster prod");
    await asNamed.close();
  });

  it.each([
    ["pods", "pods"],
    ["events", "events"],
    ["replicasets", "replica sets"],
    ["deployments", "deployments"],
    ["pods/log", "the logs of pods"],
  ])("says that %s may not be read", async (resource, named) => {
    cluster.items.pods = [pod("orders-1", {})];
    cluster.forbidden.add(resource);
    const message = `Kubernetes doesn't let these credentials read ${named} (403): allow it`;
    await expect(connection.verify(signal)).rejects.toMatchObject({ reason: "forbidden", message });
  });

  it("is rejected with a wrong token, which isn't in the error", async () => {
    const wrong = connect({ token: "wrong-token" });
    const error = await wrong.verify(signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: "unauthorized" });
    expect(JSON.stringify(error) + String(error)).not.toContain("wrong-token");
    await wrong.close();
  });

  it.each([
    ["another authority", { "certificate-authority-data": undefined }],
    ["another name", { "tls-server-name": "elsewhere.example" }],
  ])("sends no credential to a server with a certificate of %s", async (_, ofCluster) => {
    const other = connect({ token: cluster.token }, ofCluster);
    await expect(other.verify(signal)).rejects.toMatchObject({ reason: "unavailable" });
    await other.close();
    expect(cluster.requests).toEqual([]);
  });

  it("reports when a response isn't as documented", async () => {
    Object.assign(cluster.items, { pods: [{ metadata: { name: 1, namespace: "shop", labels: { app: "orders" } } }] });
    await expect(ask()).rejects.toMatchObject({ reason: "unexpected-answer" });
    expect(unlikeKubernetes(cluster)).toHaveLength(1);
    cluster.items.pods = [];
  });
});
