import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integrationKindNames, type KeyScope, limits } from "@whence/protocol";
import {
  type ControlDb,
  diskReserve,
  type EventStore,
  lazyStorage,
  openStorage,
  type Queue,
  type StorageOptions,
} from "@whence/storage";
import {
  type AlertSenders,
  addressGuard,
  alertSenders,
  type ConversationVendors,
  type Integration,
  type Mail,
  type Mailer,
  openSenderRequests,
  type SenderRequests,
} from "@whence/vendors";
import { registryOf } from "@whence/vendors/testing";
import Fastify, { type FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { z } from "zod";
import { openAnalysisBodyReader } from "../src/analysis/analysis-body-reader.ts";
import { openPreviewer } from "../src/analysis/previewer.ts";
import { analyzerRoutes } from "../src/app.ts";
import { hashSecret, mintSecret, setupToken, visiblePrefix } from "../src/credentials.ts";
import type { HttpContext, RateLimits } from "../src/http/context.ts";
import { createIdentity } from "../src/identity/create-identity.ts";
import type { Identity } from "../src/identity/identity.ts";
import type { PasswordHashing } from "../src/identity/identity-options.ts";
import type { ConnectingContext } from "../src/integrations/ask-integrations.ts";
import { type AnalyzerMetrics, analyzerMetrics } from "../src/metrics.ts";
import { configuredModels } from "../src/models/configured-models.ts";
import type { InstallationModel } from "../src/models/model-in-use.ts";
import { reportModel } from "../src/questions/report-model.ts";
import { openBundleReader } from "../src/sources/artifacts/bundle-reader.ts";
import type { BundledFile, WebBundle } from "../src/web/bundle.ts";

export const appUrl = "https://whence.example.com";

/** The analyzer's HTTP interface on real storage in its own folder, with a clock that the test sets. */
export interface TestService {
  readonly app: FastifyInstance;
  readonly control: ControlDb;
  readonly queue: Queue;
  readonly events: EventStore;
  readonly senderRequests: SenderRequests;
  readonly identity: Identity;
  readonly clock: { now: number };
  /** The disk that the service believes it is on. */
  readonly disk: { freeBytes: number };
  readonly metrics: AnalyzerMetrics;
  readonly registry: Registry;
  readonly secretKey: Buffer;
  readonly setup: { readonly organizationId: string; readonly token: string };
  /** The same routes in another app. */
  mount(app: FastifyInstance): Promise<void>;
  /** The sent mails, oldest first. */
  readonly mails: readonly Mail[];
  /** Holds mails back until then. */
  holdMails(until: Promise<void>): void;
  /** How often a route asked for the outbox to be published. */
  relayed(): number;
  close(): Promise<void>;
}

/** A vendor for each kind, which takes what is entered without asking anyone. */
const everyKindsVendor: readonly Integration[] = integrationKindNames.map((kind) => ({
  ...{ kind, vendor: `Vendor of ${kind}`, checkedAgainst: "nothing" },
  connect: () => ({ verify: async () => "organization acme", ask: async () => [], close: async () => undefined }),
}));

const script = Buffer.from("console.log(1)");
/** A minimal application. */
export const testBundle: WebBundle = new Map([
  ["/index.html", bundled("text/html; charset=utf-8", Buffer.from("<!doctype html><title>Whence</title>"))],
  ["/api-reference.html", bundled("text/html; charset=utf-8", Buffer.from("<!doctype html><title>HTTP API</title>"))],
  ["/assets/index-1a2b.js", { ...bundled("text/javascript; charset=utf-8", script), encodings: ["br", "gzip"] }],
]);

export function bundled(type: string, content: Buffer): BundledFile {
  return { type, encodings: [], read: async () => content, etag: async () => `"${content.length}"` };
}

/** A mailer that discards mails. */
export const noMail: Mailer = { send: async () => undefined };

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

export const serviceRetentionDays = 30;
/** What the service keeps free on its disk. */
export const testReserveBytes = 1_000_000;

/** Tests' passwords are no secrets, and scrypt would take a tenth of the tests' time. */
export const quickHashing: PasswordHashing = {
  hash: async (password) => hashSecret(password),
  verify: async ({ hash, password }) => hash === hashSecret(password),
};

/** Rates that no test reaches by accident. */
const generous: RateLimits = {
  registerPerHourPerAddress: 10_000,
  signInPerMinutePerAddress: 10_000,
  analyzePerMinutePerKey: 10_000,
  sourceListsPerMinutePerOrganization: 10_000,
  organizationSourceBytesMax: limits.organizationSourceBytesMax,
  unclaimedAgentAnalysesPerDay: 10_000,
  unclaimedAgentOpenAnalysesMax: 10_000,
  unclaimedAnalysesPerHourPerAddress: 10_000,
  unclaimedAgentLifetimeMs: limits.unclaimedAgentLifetimeMs,
};

const controlFile = "control.sqlite";
let migrated: Promise<Buffer> | undefined;

/** An empty control database, migrated once per process: that takes as long as the rest of opening one. */
async function migratedControl(): Promise<Buffer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "whence-migrated-"));
  const { control, close } = lazyStorage({ dataDirectory, secretKeys: [randomBytes(32)] });
  await control();
  await close();
  const content = await readFile(join(dataDirectory, controlFile));
  await rm(dataDirectory, { recursive: true });
  return content;
}

export async function startTestService(
  rates: Partial<RateLimits> = {},
  openSignUp = false,
  servers: Pick<StorageOptions, "nats" | "postgres"> = {},
  isAppUrlGiven = false,
  mayAgentsRegister = true,
  integrations: Partial<ConnectingContext> = {},
  vendors: ConversationVendors = {},
  senders: AlertSenders = alertSenders,
  installationModel: InstallationModel | null = null,
): Promise<TestService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "whence-analyzer-"));
  const secretKey = randomBytes(32);
  if (!servers.postgres) {
    migrated ??= migratedControl();
    await writeFile(join(dataDirectory, controlFile), await migrated);
  }
  const storage = await openStorage({ dataDirectory, secretKeys: [secretKey], ...servers });
  const { control } = storage;
  const clock = { now: Date.parse("2026-03-01T12:00:00.000Z") };
  const organization = { slug: "default", name: "default", now: new Date(clock.now) };
  const { id: organizationId } = await control.organizations.ensure(organization);
  const setup = { organizationId, token: setupToken(secretKey, organizationId) };
  const mails: Mail[] = [];
  let mayMail = Promise.resolve();
  const mailer: Mailer = { send: (mail) => mayMail.then(() => void mails.push(mail)) };
  const identity = createIdentity({
    control,
    clock: () => clock.now,
    secretKeys: [secretKey],
    appUrl,
    openSignUp,
    mailer,
    passwordHashing: quickHashing,
    logger: silent,
  });
  const disk = { freeBytes: 10 * testReserveBytes, reads: 0 };
  const registry = new Registry();
  const metrics = analyzerMetrics(registry, control.outbox);
  let relayed = 0;
  const execArgv = ["--conditions=@whence/source"];
  const previewer = openPreviewer({ execArgv });
  const bodies = openAnalysisBodyReader({ execArgv });
  const bundles = openBundleReader({ execArgv });
  const senderRequests = openSenderRequests(addressGuard([]));
  const outbound: ConnectingContext = {
    ...{ registry: registryOf(everyKindsVendor), mayReach: addressGuard([]), clock: () => clock.now },
    ...integrations,
  };
  const seen = { control, clock: () => clock.now, metrics };
  const models = configuredModels({ ...seen, outbound, installationModel });
  const context: HttpContext = {
    control,
    events: storage.events,
    disk: diskReserve({
      reserveBytes: testReserveBytes,
      freeBytes: async () => disk.freeBytes,
      clock: () => (disk.reads += 1_000),
    }),
    identity,
    appUrl,
    isAppUrlGiven,
    clock: () => clock.now,
    limits: { ...generous, ...rates },
    mayAgentsRegister,
    retentionDays: serviceRetentionDays,
    metrics,
    relayOutbox: () => {
      relayed += 1;
    },
    preview: previewer.preview,
    readAnalysisBody: bodies.read,
    readBundle: bundles.read,
    ...{ mailer, hasMailServer: false },
    installationModel,
    ...{ queue: storage.queue, senderRequests, senders, conversationVendors: vendors },
    integrations: outbound,
    askModel: reportModel({
      ...{ ...seen, events: storage.events, logger: silent, models },
      integrations: { ...outbound, logger: silent },
    }),
  };
  const mount = async (target: FastifyInstance): Promise<void> => {
    await target.register(
      analyzerRoutes(context, setup, { bundle: () => testBundle, documentation: () => null, clients: () => null }),
    );
    await target.ready();
  };
  const app = Fastify();
  await mount(app);
  return {
    app,
    control,
    queue: storage.queue,
    senderRequests,
    events: storage.events,
    identity,
    clock,
    disk,
    metrics,
    registry,
    secretKey,
    setup,
    mails,
    holdMails: (until) => {
      mayMail = until;
    },
    mount,
    relayed: () => relayed,
    async close() {
      await app.close();
      await Promise.all([previewer.close(), bodies.close(), bundles.close()]);
      await storage.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

export interface TestOrganization {
  readonly id: string;
  readonly key: string;
  /** The session of a person of the organization, as a `Cookie` header. */
  readonly cookie: string;
}

/** An organization with a key and a signed-in owner. */
export async function makeOrganization(
  { control, identity, clock }: TestService,
  slug: string,
  role: "owner" | "member" = "owner",
): Promise<TestOrganization> {
  const now = new Date(clock.now);
  const { id } = await control.organizations.ensure({ slug, name: slug, now });
  const key = await addKey({ control, clock }, id, "full");
  return { id, key, cookie: await signInMember({ control, identity, clock }, id, `${role}@${slug}.example`, role) };
}

/** Another key of an organization. */
export async function addKey(
  { control, clock }: Pick<TestService, "control" | "clock">,
  organizationId: string,
  scope: KeyScope,
): Promise<string> {
  const key = mintSecret("whk");
  const [prefix, now] = [visiblePrefix(key), new Date(clock.now)];
  await control.keys.add({ organizationId, name: `test ${scope}`, hash: hashSecret(key), prefix, scope, now });
  return key;
}

export async function signInMember(
  { control, identity, clock }: Pick<TestService, "control" | "identity" | "clock">,
  organizationId: string,
  email: string,
  role: "owner" | "member",
): Promise<string> {
  const password = "correct horse battery";
  const userId = await signUp(control, { name: email, email, password });
  await control.accounts.verify(userId);
  await control.organizations.addMember({ organizationId, userId, role, now: new Date(clock.now) });
  const cookies = await identity.signIn({ email, password });
  return (cookies ?? []).map((line) => line.split(";", 1)[0]).join("; ");
}

/** Signs up as in a service with open sign-up. */
export async function signUp(
  control: ControlDb,
  person: { name: string; email: string; password: string },
): Promise<string> {
  const open = createIdentity({
    control,
    clock: Date.now,
    secretKeys: [randomBytes(32)],
    appUrl,
    openSignUp: true,
    mailer: noMail,
    passwordHashing: quickHashing,
    logger: silent,
  });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify(person);
  const answer = await open.handle(new Request(`${appUrl}/api/auth/sign-up/email`, { method: "POST", headers, body }));
  const { user } = z.object({ user: z.object({ id: z.string() }) }).parse(await answer.json());
  return user.id;
}

/** Ends the session of a `Cookie` header, as the application does. */
export async function signOut(identity: Identity, cookie: string): Promise<void> {
  const headers = { cookie, origin: appUrl, "content-type": "application/json" };
  const answer = await identity.handle(
    new Request(`${appUrl}/api/auth/sign-out`, { method: "POST", headers, body: "{}" }),
  );
  if (!answer.ok) throw new Error(`signing out was answered ${answer.status}`);
}
