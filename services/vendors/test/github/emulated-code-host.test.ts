import { generateKeyPairSync } from "node:crypto";
import { createEmulator, type Emulator } from "emulate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../../../test/servers/free-port.ts";
import type { CodeHost } from "../../src/code-hosts/code-host.ts";
import { openGitHub } from "../../src/github/code-host.ts";
import { addressGuard } from "../../src/http/address-guard.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const app = { clientId: "12345", clientSecret: "the-client-secret", slug: "whence", privateKey };
const installation = { installationId: 7, account: "ada" };
const repository = "ada/shop";
const { signal } = new AbortController();
const committedSchema = z.object({ commit: z.object({ sha: z.string() }), content: z.object({ sha: z.string() }) });
const tagSchema = z.object({ sha: z.string() });

let emulator: Emulator;
let host: CodeHost;
let first: string;
let second: string;

beforeAll(async () => {
  const permissions = { contents: "read", deployments: "read", metadata: "read" };
  const installations = [{ installation_id: 7, account: "ada", repository_selection: "all" as const }];
  const seed = {
    tokens: { "token-of-ada": { login: "ada", scopes: ["repo"] } },
    github: {
      users: [{ login: "ada" }],
      repos: [{ owner: "ada", name: "shop", auto_init: true }],
      apps: [{ app_id: 12345, slug: "whence", name: "Whence", private_key: privateKey, permissions, installations }],
    },
  };
  emulator = await createEmulator({ service: "github", port: await freePort(), seed });
  const path = "/contents/src/stock.ts";
  const written = committedSchema.parse(await ada("PUT", path, { message: "Add", content: base64("one\ntwo\n") }));
  const change = { message: "Change", content: base64("one\n2\n"), sha: written.content.sha };
  first = written.commit.sha;
  second = committedSchema.parse(await ada("PUT", path, change)).commit.sha;
  const annotated = { tag: "v2.0.0", message: "Version 2", object: second, type: "commit" };
  const { sha } = tagSchema.parse(await ada("POST", "/git/tags", annotated));
  await ada("POST", "/git/refs", { ref: "refs/tags/v2.0.0", sha });
  await ada("POST", "/git/refs", { ref: "refs/tags/v1.0.0", sha: first });
  host = openGitHub(app, installation, contextOf(emulator));
});
afterAll(async () => {
  await host?.close();
  await emulator?.close();
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const contextOf = ({ url }: Emulator) => {
  return { mayReach: addressGuard(["127.0.0.0/8"]), clock: Date.now, addressOf: () => url };
};

/** What the owner of the repository does. */
async function ada(method: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(`${emulator.url}/repos/${repository}${path}`, {
    ...{ method, body: JSON.stringify(body) },
    headers: { authorization: "Bearer token-of-ada", "content-type": "application/json" },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

describe("an installation of the GitHub App, as emulated by emulate", () => {
  it("finds the repository named after a service", async () => {
    expect(await host.repositoryNamed("shop", signal)).toBe(repository);
    expect(await host.repositoryNamed("payments", signal)).toBeNull();
  });

  it.each([
    ["a tag", "v1.0.0", () => first],
    ["an annotated tag", "2.0.0", () => second],
  ])("finds the commit of %s", async (_, name, id) => {
    const found = await host.findCommit(repository, { name, commit: null }, signal);
    expect(found?.id).toBe(id());
  });

  it("finds a commit by its prefix, and no unknown one", async () => {
    const named = (commit: string) => host.findCommit(repository, { name: "0", commit }, signal);
    expect(await named(first.slice(0, 12))).toMatchObject({ id: first });
    expect(await named("0123456789ab")).toBeNull();
  });

  it("reads a file as it was at a commit", async () => {
    expect(await host.paths(repository, first, signal)).toContain("src/stock.ts");
    const read = (id: string, path: string) =>
      host.read({ repository, commit: { name: "v1.0.0", id }, path }, 1_000, signal);
    expect(await read(first, "src/stock.ts")).toMatchObject({ text: "one\ntwo\n" });
    expect(await read(second, "src/stock.ts")).toMatchObject({ text: "one\n2\n" });
    expect(await read(first, "src/absent.ts")).toEqual({ outcome: "absent" });
  });

  it("compares two commits", async () => {
    const compared = await host.compare(repository, first, second, signal);
    expect(compared.commits).toMatchObject([{ id: second, subject: "Change" }]);
    expect(compared.files).toMatchObject([{ path: "src/stock.ts", patch: expect.stringContaining("-two\n+2") }]);
  });

  it("is rejected with another key than the app's", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const pem = other.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const stranger = openGitHub({ ...app, privateKey: pem }, installation, contextOf(emulator));
    await expect(stranger.repositoryNamed("shop", signal)).rejects.toMatchObject({ reason: "unauthorized" });
    await stranger.close();
  });
});
