import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { z } from "zod";
import { readCommand } from "../services/server/src/command-line.ts";
import { configVariables } from "../services/server/src/config.ts";
import { findHelm, findProgram } from "./servers/programs.ts";

const run = promisify(execFile);
const repository = join(import.meta.dirname, "..");
const chart = join(repository, "deploy/helm/whence");
const helm = findHelm();

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-chart-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const labels = z.record(z.string(), z.string());
const containerSchema = z.object({
  args: z.array(z.string()).optional(),
  env: z
    .array(z.object({ name: z.string(), value: z.string().optional(), valueFrom: z.unknown().optional() }))
    .default([]),
  livenessProbe: z.unknown().optional(),
  readinessProbe: z.unknown(),
  securityContext: z.object({ readOnlyRootFilesystem: z.literal(true), allowPrivilegeEscalation: z.literal(false) }),
  resources: z.object({ requests: z.unknown(), limits: z.object({ memory: z.string() }) }),
});
const workloadSchema = z.object({
  kind: z.enum(["Deployment", "StatefulSet"]),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    replicas: z.number(),
    template: z.object({
      metadata: z.object({ labels }),
      spec: z.object({
        containers: z.array(containerSchema).length(1),
        securityContext: z.object({ runAsNonRoot: z.literal(true) }),
      }),
    }),
  }),
});
const serviceSchema = z.object({
  kind: z.literal("Service"),
  metadata: z.object({ name: z.string() }),
  spec: z.object({ selector: labels }),
});
const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
type KubernetesObject = z.infer<typeof objectSchema>;

const secrets = {
  WHENCE_SECRET_KEY: "c2VjcmV0",
  NATS_URL: "nats://nats:4222",
  CLICKHOUSE_URL: "http://clickhouse:8123",
  DATABASE_URL: "postgres://postgres/whence",
};
const everything = {
  ...{ appUrl: "https://whence.example.com", env: { WHENCE_RETENTION_DAYS: "60" }, api: { replicas: 2 } },
  ingress: { enabled: true, className: "nginx", host: "whence.example.com", tlsSecret: "tls", annotations: { a: "b" } },
  ...{ serviceMonitor: { enabled: true, labels: { release: "p" } }, prometheusRule: { enabled: true } },
  ...{ grafanaDashboard: { enabled: true }, nodeSelector: { disk: "ssd" }, imagePullSecrets: [{ name: "r" }] },
  ...{ tolerations: [{ key: "k", operator: "Exists" }], podAnnotations: { "a.example/b": "c" } },
};
const cases: readonly (readonly [string, object])[] = [
  ["one process", {}],
  ["one process with everything", { ...everything, single: { persistence: { size: "5Gi", storageClass: "fast" } } }],
  ["a fleet", { mode: "fleet", existingSecret: "whence" }],
  ["a fleet with everything", { mode: "fleet", secrets, ...everything }],
];

/** Writes values into a file, and returns its path. */
async function valuesFile(values: object): Promise<string> {
  const path = join(folder, "values.yaml");
  await writeFile(path, stringify(values));
  return path;
}

async function rendered(values: object): Promise<readonly KubernetesObject[]> {
  const { stdout } = await run(helm, ["template", "shop", chart, "--namespace", "ops", "-f", await valuesFile(values)]);
  return parseAllDocuments(stdout).flatMap((document) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [objectSchema.parse(value)];
  });
}

const workloadsOf = (objects: readonly KubernetesObject[]) =>
  objects.flatMap((object) => workloadSchema.safeParse(object).data ?? []);

/** Returns the configuration of a fleet's proxy. */
async function proxyConfig(values: object): Promise<string> {
  const proxy = (await rendered({ mode: "fleet", secrets, ...values })).find(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "shop-whence-proxy",
  );
  return z.object({ data: z.object({ "nginx.conf": z.string() }) }).parse(proxy).data["nginx.conf"];
}

/** A class of a Kubernetes object, which validates by the schema of its version. */
const modelSchema = z.custom<new (object: object) => { validate(): void }>((value) => typeof value === "function");

async function validate(object: KubernetesObject): Promise<void> {
  const { apiVersion, kind } = object;
  const models = apiVersion.startsWith("monitoring.coreos.com/")
    ? "@kubernetes-models/prometheus-operator"
    : "kubernetes-models";
  const loaded: Record<string, unknown> = await import(`${models}/${apiVersion}/${kind}`);
  const Model = modelSchema.parse(loaded[kind]);
  try {
    new Model(object).validate();
  } catch (error) {
    throw new Error(`${kind} ${object.metadata.name} is invalid`, { cause: error });
  }
}

describe.each(cases)("the chart for %s", (_, values) => {
  it("passes Helm's linter, and Kubernetes' schemas", async () => {
    await run(helm, ["lint", "--strict", chart, "-f", await valuesFile(values)]);
    const objects = await rendered(values);
    expect(objects.length).toBeGreaterThan(3);
    for (const object of objects) await validate(object);
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it("runs commands and sets variables that the server has, with probes, limits, and without rights", async () => {
    const known = new Set(configVariables.map(({ name }) => name));
    for (const { metadata, spec } of workloadsOf(await rendered(values))) {
      const [container] = spec.template.spec.containers;
      expect(container?.readinessProbe).toBeTruthy();
      if (metadata.name.endsWith("-proxy")) continue;
      expect(container?.livenessProbe).toBeTruthy();
      expect(readCommand(container?.args ?? [])).toMatchObject({ name: "serve" });
      expect(container?.env.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it("has services that select exactly one workload, but the one that hides pages from outside", async () => {
    const objects = await rendered(values);
    const services = objects.flatMap((object) => serviceSchema.safeParse(object).data ?? []);
    for (const { metadata, spec } of services) {
      const selected = workloadsOf(objects).filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([name, value]) => template.metadata.labels[name] === value),
      );
      expect([metadata.name, selected.length]).toEqual([metadata.name, metadata.name.endsWith("-hidden") ? 0 : 1]);
    }
  });
});

describe("the chart", () => {
  it("runs one process with a volume by default, and each role of a fleet with a budget for disruptions", async () => {
    const single = workloadsOf(await rendered({}));
    expect(single.map(({ kind, spec }) => [kind, spec.replicas])).toEqual([["StatefulSet", 1]]);
    const objects = await rendered({ mode: "fleet", secrets });
    const copies = workloadsOf(objects).map(({ metadata, spec }) => [metadata.name, spec.replicas]);
    const roles = ["analyzer", "gateway", "proxy", "writer"].map((role) => `shop-whence-${role}`);
    expect(copies.sort()).toEqual(roles.map((role) => [role, 2]));
    const budgets = objects.filter(({ kind }) => kind === "PodDisruptionBudget").map(({ metadata }) => metadata.name);
    expect(budgets.sort()).toEqual(roles);
  });

  it("routes as the shipped proxy does, to the services of its roles", async () => {
    const serversOf = async (values: object) => {
      const text = await proxyConfig(values);
      expect(text).toContain("resolver kube-dns.kube-system.svc.cluster.local valid=5s;");
      return [...text.matchAll(/^ *server (\S+) resolve/gm)].map(([, server]) => server);
    };
    const at = (role: string) => `shop-whence-${role}.ops.svc.cluster.local:4000`;
    expect(await serversOf({})).toEqual([at("gateway"), at("analyzer")]);
    expect(await serversOf({ api: { replicas: 1 } })).toEqual([at("gateway"), at("api")]);
  });

  it("believes the addresses and protocols that the networks before it forward, and no others", async () => {
    const trusting = { proxy: { trustedNetworks: ["10.244.0.0/16", "fd00::/8"] } };
    const trustedOf = async (values: object) =>
      workloadsOf(await rendered(values))
        .filter(({ metadata }) => !metadata.name.endsWith("-proxy"))
        .map(({ spec }) => spec.template.spec.containers[0]?.env.find(({ name }) => name === "WHENCE_TRUSTED_PROXIES"))
        .map((variable) => variable?.value);
    expect(await trustedOf(trusting)).toEqual(["10.244.0.0/16,fd00::/8"]);
    expect(new Set(await trustedOf({ mode: "fleet", secrets, ...trusting }))).toEqual(
      new Set(["10.244.0.0/16,fd00::/8"]),
    );
    expect(await trustedOf({ ...trusting, env: { WHENCE_TRUSTED_PROXIES: "10.0.0.1" } })).toEqual(["10.0.0.1"]);
    expect(await trustedOf({})).toEqual([undefined]);

    const plain = await proxyConfig({});
    expect(plain).not.toContain("real_ip");
    const config = await proxyConfig(trusting);
    expect(config).toMatch(/set_real_ip_from 10\.244\.0\.0\/16;\s+set_real_ip_from fd00::\/8;/);
    expect(config).toContain("proxy_set_header X-Forwarded-Proto $client_scheme;");
    // Names are resolved only in a cluster.
    const path = join(folder, "nginx.conf");
    await writeFile(
      path,
      config.replace(/^ *server \S+ resolve.*$/gm, "server 127.0.0.1:9;").replace(/^ *resolver .*$/m, ""),
    );
    await run(findProgram("nginx", "nginx"), ["-t", "-e", "stderr", "-c", path]);
  });

  it("says where people open it: as given, else by the host of its ingress", async () => {
    const appUrlOf = async (values: object) => {
      const [one] = workloadsOf(await rendered(values));
      return one?.spec.template.spec.containers[0]?.env.find(({ name }) => name === "WHENCE_APP_URL")?.value;
    };
    const ingress = { enabled: true, host: "whence.example.com" };
    expect(await appUrlOf({})).toBeUndefined();
    expect(await appUrlOf({ ingress })).toBe("http://whence.example.com");
    expect(await appUrlOf({ ingress: { ...ingress, tlsSecret: "tls" } })).toBe("https://whence.example.com");
    expect(await appUrlOf({ ingress, appUrl: "https://whence.example.com" })).toBe("https://whence.example.com");
  });

  it("takes variables from Secrets that others made", async () => {
    const { DATABASE_URL: _own, ...others } = secrets;
    const valueFrom = { secretKeyRef: { name: "postgres-app", key: "uri" } };
    const objects = await rendered({ mode: "fleet", secrets: others, env: { DATABASE_URL: { valueFrom } } });
    for (const object of objects) await validate(object);
    const roles = workloadsOf(objects).filter(({ metadata }) => !metadata.name.endsWith("-proxy"));
    expect(roles).toHaveLength(3);
    for (const { spec } of roles) {
      expect(spec.template.spec.containers[0]?.env).toContainEqual({ name: "DATABASE_URL", valueFrom });
    }
  });

  it("has a Secret only when none is named", async () => {
    const secretsIn = async (values: object) => (await rendered(values)).filter(({ kind }) => kind === "Secret").length;
    expect(await secretsIn({ mode: "fleet", secrets })).toBe(1);
    expect(await secretsIn({ mode: "fleet", existingSecret: "mine" })).toBe(0);
  });

  it.each([
    ["a fleet without its servers", { mode: "fleet" }],
    ["a fleet without its database", { mode: "fleet", secrets: { ...secrets, DATABASE_URL: undefined } }],
    ["a mode that there isn't", { mode: "cluster" }],
    ["a value that there isn't", { replicas: 3 }],
    ["an ingress without a host", { ingress: { enabled: true } }],
    ["a fleet without gateways", { mode: "fleet", existingSecret: "s", gateway: { replicas: 0 } }],
    ["a network that isn't one", { proxy: { trustedNetworks: ["anywhere; include /etc/x"] } }],
    ["a variable that isn't a text", { env: { WHENCE_RETENTION_DAYS: 30 } }],
  ])("refuses %s", async (_, values) => {
    await expect(rendered(values)).rejects.toThrow(/values don't meet the specifications of the schema/);
  });
});
