import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { killServers } from "./started-servers.ts";

const program = join(import.meta.dirname, "openid-provider-program.ts");

export interface OpenIdProviderOptions {
  readonly port: number;
  /** The application that may use the provider. */
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  /** The claims of each account, such as `{ ada: { email: "ada@example.com", email_verified: true } }`. */
  readonly accounts: Readonly<Record<string, { readonly [claim: string]: string | boolean }>>;
}

/** An OpenID provider in a process of its own, which lets anyone in who names one of its accounts. */
export interface OpenIdProvider {
  stop(): Promise<void>;
}

/** The provider's issuer, whether or not it runs. */
export function issuerAt(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Starts a provider; it ends with this process at the latest. */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProvider> {
  // The pipe on its standard input tells it when this process is gone for any reason.
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ready = once(createInterface(child.stdout), "line");
  const ended = once(child, "exit").then(() => {
    throw new Error(`the OpenID provider ended at its start:\n${said}`);
  });
  await Promise.race([ready, ended]);
  ended.catch(() => undefined);
  return { stop: () => killServers([child]) };
}
