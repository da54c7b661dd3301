import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { TLSSocket } from "node:tls";
import { type ClusterCertificates, makeCertificates } from "./cluster-certificates.ts";

type Kind = "pods" | "events" | "replicasets" | "deployments";

interface Item {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Record<string, string> };
  readonly involvedObject?: { readonly name: string };
  readonly type?: string;
}

/** A double of a Kubernetes API server: lists with selectors and pages, and logs, over TLS with its own authority. */
export interface ClusterServer {
  readonly url: string;
  readonly certificates: ClusterCertificates;
  readonly token: string;
  /** Its resources by kind; the test replaces them. */
  readonly items: Record<Kind, readonly Item[]>;
  /** By pod and container: `orders-1/app`. */
  readonly logs: Map<string, string>;
  /** Resources that the credentials may not read: `events`, `pods/log`. */
  readonly forbidden: Set<string>;
  readonly requests: URL[];
  close(): Promise<void>;
}

const listKinds: Readonly<Record<Kind, string>> = {
  pods: "PodList",
  events: "EventList",
  replicasets: "ReplicaSetList",
  deployments: "DeploymentList",
};

export async function startClusterServer(): Promise<ClusterServer> {
  const certificates = await makeCertificates();
  const { authority, server: own } = certificates;
  const tls = { ...own, ca: authority, requestCert: true, rejectUnauthorized: false };
  const server = createServer(tls, (request, response) => answer(cluster, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const cluster: ClusterServer = {
    url: `https://127.0.0.1:${port}`,
    certificates,
    token: "token-of-the-cluster",
    items: { pods: [], events: [], replicasets: [], deployments: [] },
    logs: new Map(),
    forbidden: new Set(),
    requests: [],
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return cluster;
}

const apiPath =
  /^\/(?:api|apis\/apps)\/v1(?:\/namespaces\/([^/]+))?\/(pods|events|replicasets|deployments)(?:\/([^/]+)\/log)?$/;

function answer(cluster: ClusterServer, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "", cluster.url);
  cluster.requests.push(url);
  const isKnown =
    request.headers.authorization === `Bearer ${cluster.token}` ||
    (request.socket instanceof TLSSocket && request.socket.authorized);
  const [, namespace, resource, pod] = apiPath.exec(url.pathname) ?? [];
  const kind = (["pods", "events", "replicasets", "deployments"] as const).find((one) => one === resource);
  if (!isKnown) status(response, 401, "Unauthorized");
  else if (!kind) status(response, 404, "NotFound");
  else if (cluster.forbidden.has(pod ? "pods/log" : kind)) status(response, 403, "Forbidden");
  else if (pod) sendLog(cluster, `${pod}/${url.searchParams.get("container") ?? ""}`, response);
  else sendList(kind, matching(cluster.items[kind], namespace, url), url, response);
}

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
function status(response: ServerResponse, code: number, reason: string): void {
  const body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: reason, reason, code };
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendLog({ logs }: ClusterServer, of: string, response: ServerResponse): void {
  const text = logs.get(of);
  if (text === undefined) status(response, 400, "BadRequest");
  else response.writeHead(200, { "content-type": "text/plain" }).end(text);
}

function matching(items: readonly Item[], namespace: string | undefined, { searchParams }: URL): readonly Item[] {
  const [label, value] = searchParams.get("labelSelector")?.split("=") ?? [];
  const fields = searchParams.get("fieldSelector")?.split(",") ?? [];
  return items.filter(({ metadata, involvedObject, type }) => {
    const byField = fields.every((field) => {
      if (field === "type!=Normal") return type !== "Normal";
      return field === `metadata.name=${metadata.name}` || field === `involvedObject.name=${involvedObject?.name}`;
    });
    const isInNamespace = namespace === undefined || metadata.namespace === namespace;
    return isInNamespace && byField && (label === undefined || metadata.labels?.[label] === value);
  });
}

/** https://kubernetes.io/docs/reference/using-api/api-concepts/#retrieving-large-results-sets-in-chunks */
function sendList(kind: Kind, items: readonly Item[], { searchParams }: URL, response: ServerResponse): void {
  const start = Number(searchParams.get("continue") ?? 0);
  const end = start + Number(searchParams.get("limit") ?? items.length);
  const metadata = { resourceVersion: "1", ...(end < items.length ? { continue: String(end) } : {}) };
  const body = { kind: listKinds[kind], apiVersion: "v1", metadata, items: items.slice(start, end) };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
