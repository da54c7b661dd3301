import { randomBytes } from "node:crypto";
import {
  type Incident,
  type IncidentWatch,
  incidentSchema,
  incidentWatchSchema,
  type ModelRun,
  modelRunListSchema,
} from "@whence/protocol";
import { z } from "zod";
import { type ChildServer, startEmbeddedServer } from "../child-server.ts";
import { noModel } from "../model/model-setup.ts";
import { Turns } from "./turns.ts";

const pageSchema = z.object({ incidents: incidentSchema.array() });
const keySchema = z.object({ api_key: z.string() });
const organizationSchema = z.object({ id: z.string() });

/** The account to sign in with. It sees the incidents of all faults, one organization per fault. */
export interface Owner {
  readonly email: string;
  readonly password: string;
}

/** The service under test, used over HTTP as people and programs use it. */
export class Whence implements AsyncDisposable {
  readonly #server: ChildServer;
  readonly #cookie: string;
  readonly owner: Owner;
  readonly #turns = new Turns();
  readonly #organizations: string[] = [];

  private constructor(server: ChildServer, owner: Owner, cookie: string) {
    this.#server = server;
    this.owner = owner;
    this.#cookie = cookie;
  }

  /** Starts the service embedded, with its data in `directory` and the variables of a model, by default of none. */
  static async start(directory: string, model = noModel): Promise<Whence> {
    const server = await startEmbeddedServer(directory, {
      ...model,
      WHENCE_SIGNUP: "open",
      WHENCE_SIGN_IN_PER_MINUTE: "10000",
    });
    const owner = { email: "bench@example.com", password: randomBytes(12).toString("hex") };
    const { headers } = await post(`${server.url}/api/auth/sign-up/email`, { name: "Bench", ...owner }, server.url, "");
    const cookie = headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    return new Whence(server, owner, cookie.join("; "));
  }

  get url(): string {
    return this.#server.url;
  }

  /** Creates an organization without failures, and returns its key. */
  newOrganization(name: string): Promise<string> {
    // One at a time: what the owner creates belongs to the session's current organization.
    return this.#turns.take(() => this.#makeOrganization(name));
  }

  /** Returns the incidents of the key's organization, oldest first, without their reports. */
  async incidents(apiKey: string): Promise<readonly Incident[]> {
    const { incidents } = pageSchema.parse(await this.#get("/api/incidents?limit=100", { "x-api-key": apiKey }));
    return incidents.toReversed();
  }

  /** Returns an incident with its report. */
  async incident(apiKey: string, id: string): Promise<Incident> {
    return incidentSchema.parse(await this.#get(`/api/incidents/${id}`, { "x-api-key": apiKey }));
  }

  /** Starts a watch of the places that an incident's report names. */
  async startWatch(apiKey: string, id: string): Promise<void> {
    const response = await fetch(`${this.url}/api/incidents/${id}/watch`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: "{}",
    });
    if (!response.ok) throw new Error(`watching places answered ${response.status}: ${await response.text()}`);
  }

  /** Returns what became of the last watch of an incident. */
  async watchOf(apiKey: string, id: string): Promise<IncidentWatch> {
    return incidentWatchSchema.parse(await this.#get(`/api/incidents/${id}/watch`, { "x-api-key": apiKey }));
  }

  /** Returns what a model did in all organizations. */
  modelRuns(): Promise<readonly ModelRun[]> {
    return this.#turns.take(async () => {
      const runs: ModelRun[] = [];
      for (const organizationId of this.#organizations) {
        await this.#post("/api/auth/organization/set-active", { organizationId });
        runs.push(...modelRunListSchema.parse(await this.#get("/api/model/runs", { cookie: this.#cookie })).runs);
      }
      return runs;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop();
  }

  async #makeOrganization(name: string): Promise<string> {
    const created = await this.#post("/api/auth/organization/create", { name, slug: name });
    const { id: organizationId } = organizationSchema.parse(created);
    this.#organizations.push(organizationId);
    await this.#post("/api/auth/organization/set-active", { organizationId });
    return keySchema.parse(await this.#post("/api/keys", { name: "shop", scope: "full" })).api_key;
  }

  async #post(path: string, body: object): Promise<unknown> {
    return (await post(this.url + path, body, this.url, this.#cookie)).json();
  }

  async #get(path: string, headers: Record<string, string>): Promise<unknown> {
    const response = await fetch(this.url + path, { headers });
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  }
}

async function post(url: string, body: object, origin: string, cookie: string): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
  return response;
}
