import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AddedAlertSource, addedAlertSourceSchema, alertSourceListSchema } from "@whence/protocol";
import { freePort } from "../../../../../test/servers/free-port.ts";
import { becomeOwner } from "../../../../../test/servers/owner-session.ts";
import { type ServerProcess, startServerProcess } from "../../../../../test/servers/server-process.ts";
import type { Posted } from "./senders.ts";

/** What a server process needs to reach the doubles of a test. */
interface Surroundings {
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
}

/** A server process, its owner, and a source for each kind of sender. */
export class WebhookServer {
  readonly #surroundings: Surroundings;
  readonly #dataDirectory: string;
  readonly #port: number;
  readonly #sources = new Map<string, AddedAlertSource>();
  #process: ServerProcess;
  #cookie = "";

  private constructor(surroundings: Surroundings, dataDirectory: string, port: number, process: ServerProcess) {
    this.#surroundings = surroundings;
    [this.#dataDirectory, this.#port, this.#process] = [dataDirectory, port, process];
  }

  static async start(surroundings: Surroundings): Promise<WebhookServer> {
    const dataDirectory = await mkdtemp(join(tmpdir(), "whence-webhooks-"));
    const port = await freePort();
    const { environment, flags } = surroundings;
    const process = await startServerProcess(dataDirectory, port, { ...environment }, flags);
    const server = new WebhookServer(surroundings, dataDirectory, port, process);
    server.#cookie = await becomeOwner(process.url, process.output());
    return server;
  }

  /** Adds a source of the kind, which later calls name. */
  async addSource(kind: string, inputs: Readonly<Record<string, string>>): Promise<void> {
    const added = await this.ask("/api/alert-sources", { kind, name: kind, inputs });
    this.#sources.set(kind, addedAlertSourceSchema.parse(added));
  }

  source(kind: string): AddedAlertSource {
    const source = this.#sources.get(kind);
    if (!source) throw new Error(`there is no source of the kind ${kind}`);
    return source;
  }

  /** Asks the API as the owner. */
  async ask(path: string, body?: object): Promise<unknown> {
    const sent = body && { method: "POST", body: JSON.stringify(body) };
    const headers = { cookie: this.#cookie, "content-type": "application/json" };
    return (await fetch(this.#process.url + path, { ...sent, headers })).json();
  }

  /** Posts a webhook to its source, and resolves with the status of the answer. */
  async deliver(kind: string, { body, headers }: Posted): Promise<number> {
    const { pathname } = new URL(this.source(kind).url);
    return (await fetch(this.#process.url + pathname, { method: "POST", body, headers })).status;
  }

  /** The last failure that the source shows. */
  async failureOf(kind: string): Promise<string | null> {
    const { alert_sources: all } = alertSourceListSchema.parse(await this.ask("/api/alert-sources"));
    return all.find(({ id }) => id === this.source(kind).id)?.failed?.reason ?? null;
  }

  /** Kills the process, and starts another one on its data. */
  async restart(): Promise<void> {
    await this.#process.end("SIGKILL");
    const { environment, flags } = this.#surroundings;
    this.#process = await startServerProcess(this.#dataDirectory, this.#port, { ...environment }, flags);
  }

  async close(): Promise<void> {
    await this.#process.end("SIGTERM");
    await rm(this.#dataDirectory, { recursive: true, force: true });
  }
}
