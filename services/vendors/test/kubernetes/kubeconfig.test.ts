import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { addressGuard } from "../../src/http/address-guard.ts";
import { kubernetes } from "../../src/kubernetes/integration.ts";
import { readKubeconfig } from "../../src/kubernetes/kubeconfig.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const server = "https://cluster.example:6443";

function config(cluster: object = {}, user: object = { token: "secret-token" }, more: object = {}): string {
  return stringify({
    ...{ apiVersion: "v1", kind: "Config", preferences: {}, "current-context": "ops@prod" },
    clusters: [{ name: "prod", cluster: { server, ...cluster } }],
    users: [{ name: "ops", user }],
    contexts: [{ name: "ops@prod", context: { cluster: "prod", user: "ops" } }],
    ...more,
  });
}

describe("a kubeconfig", () => {
  it("is read in YAML and JSON, with its embedded data", () => {
    const cluster = { "certificate-authority-data": base64("authority"), "tls-server-name": "kubernetes" };
    const user = { "client-certificate-data": base64("certificate"), "client-key-data": base64("key") };
    const access = {
      ...{ cluster: "prod", server: new URL(server), namespace: null, token: null },
      tls: { ca: "authority", servername: "kubernetes", cert: "certificate", key: "key" },
    };
    expect(readKubeconfig(config(cluster, user))).toEqual(access);
    const contexts = [{ name: "only", context: { cluster: "prod", user: "ops", namespace: "shop" } }];
    const json = JSON.stringify({
      clusters: [{ name: "prod", cluster: { server } }],
      users: [{ name: "ops", user: { token: "secret-token" } }],
      contexts,
    });
    expect(readKubeconfig(json)).toMatchObject({ namespace: "shop", token: "secret-token" });
  });

  it.each([
    [
      "exec",
      config({}, { exec: { command: "aws", apiVersion: "client.authentication.k8s.io/v1" } }),
      /running a program \(exec\)/,
    ],
    ["auth-provider", config({}, { "auth-provider": { name: "gcp" } }), /running a program \(auth-provider\)/],
    ["certificate-authority", config({ "certificate-authority": "/etc/passwd" }), /a file .*\(certificate-authority\)/],
    ["client-certificate", config({}, { "client-certificate": "/a", "client-key-data": "" }), /\(client-certificate\)/],
    ["client-key", config({}, { "client-key": "/a" }), /a file .*\(client-key\)/],
    ["tokenFile", config({}, { tokenFile: "/var/run/secrets/token" }), /a file .*\(tokenFile\)/],
    ["proxy-url", config({ "proxy-url": "socks5://10.0.0.1" }), /through a proxy/],
    ["insecure-skip-tls-verify", config({ "insecure-skip-tls-verify": true }), /doesn't check who answers/],
    ["as", config({}, { token: "secret-token", as: "admin" }), /act as someone else/],
    [
      "no credential",
      config({}, { username: "a", password: "secret-token" }),
      /neither a token nor a client certificate/,
    ],
    ["http", config({ server: "http://cluster.example" }), /isn't an https:\/\/ URL/],
    ["no server", config({ server: 1 }), /lacks a server for the cluster prod/],
    ["an unknown context", config({}, {}, { "current-context": "gone" }), /has no current context/],
    ["an unknown cluster", config({}, {}, { clusters: [] }), /has no cluster prod/],
    ["an unknown user", config({}, {}, { users: [] }), /has no user ops/],
    ["no YAML", "clusters: [", /neither YAML nor JSON/],
    ["aliases that multiply", bomb(), /neither YAML nor JSON/],
  ])("is rejected with %s, and its token isn't in the error", (_, text, message) => {
    expect(() => readKubeconfig(text)).toThrow(message);
    expect(() => readKubeconfig(text)).not.toThrow(/secret-token/);
  });

  it("leads to no address that this service may not reach", async () => {
    const text = config({ server: "https://10.0.0.1:6443" });
    const context = { mayReach: addressGuard([]), clock: Date.now };
    const connection = kubernetes.connect({ kubeconfig: text }, context);
    await expect(connection.verify(new AbortController().signal)).rejects.toMatchObject({ reason: "refused-address" });
    await connection.close();
  });
});

/** Ten lists, each with ten of the one before. */
function bomb(): string {
  const levels = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`);
  return ["a0: &a0 [x]", ...levels].join("\n");
}
