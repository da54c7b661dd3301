import { generateKeyPairSync } from "node:crypto";
import { createEmulator } from "emulate";
import { z } from "zod";
import { freePort } from "../../../../test/servers/free-port.ts";
import type { GitHubApp } from "../../src/applications.ts";
import { addressGuard } from "../../src/http/address-guard.ts";
import type { OutboundContext } from "../../src/outbound-context.ts";

type Permissions = Readonly<Record<string, "read" | "write">>;

const readPermissions: Permissions = { contents: "read", deployments: "read", metadata: "read" };
export const writePermissions: Permissions = { ...readPermissions, contents: "write", pull_requests: "write" };

const committedSchema = z.object({ commit: z.object({ sha: z.string() }), content: z.object({ sha: z.string() }) });

/** GitHub's API as emulated by emulate, with the repository `ada/shop`, and the app installed for `ada`. */
export interface EmulatedGitHub {
  readonly app: GitHubApp;
  readonly installation: { readonly installationId: number; readonly account: string };
  readonly repository: string;
  readonly context: OutboundContext;
  /** Does what the owner of the repository does, and returns the answer. */
  ada(method: string, path: string, body?: object): Promise<unknown>;
  /** Commits a file to the default branch, over the one with that digest, and returns both digests. */
  write(path: string, text: string, sha?: string): Promise<{ readonly commit: string; readonly content: string }>;
  close(): Promise<void>;
}

export async function startEmulatedGitHub(permissions: Permissions = readPermissions): Promise<EmulatedGitHub> {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const installations = [{ installation_id: 7, account: "ada", repository_selection: "all" as const }];
  const seed = {
    tokens: { "token-of-ada": { login: "ada", scopes: ["repo"] } },
    github: {
      users: [{ login: "ada" }],
      repos: [{ owner: "ada", name: "shop", auto_init: true }],
      apps: [{ app_id: 12345, slug: "whence", name: "Whence", private_key: privateKey, permissions, installations }],
    },
  };
  const emulator = await createEmulator({ service: "github", port: await freePort(), seed });
  const repository = "ada/shop";
  const ada: EmulatedGitHub["ada"] = async (method, path, body) => {
    const answer = await fetch(`${emulator.url}/repos/${repository}${path}`, {
      ...{ method, ...(body ? { body: JSON.stringify(body) } : {}) },
      headers: { authorization: "Bearer token-of-ada", "content-type": "application/json" },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const mayReach = addressGuard(["127.0.0.0/8"]);
  return {
    app: { clientId: "12345", clientSecret: "the-client-secret", slug: "whence", privateKey },
    ...{ installation: { installationId: 7, account: "ada" }, repository, ada },
    context: { mayReach, clock: Date.now, addressOf: () => emulator.url },
    async write(path, text, sha) {
      const file = { message: `Write ${path}`, content: Buffer.from(text).toString("base64"), ...(sha ? { sha } : {}) };
      const { commit, content } = committedSchema.parse(await ada("PUT", `/contents/${path}`, file));
      return { commit: commit.sha, content: content.sha };
    },
    close: () => emulator.close(),
  };
}
