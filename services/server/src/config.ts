import { isAbsolute, resolve } from "node:path";
import type { Checkout, InstallationModel, OpenIdApplication, Providers } from "@whence/analyzer";
import { limits } from "@whence/protocol";
import type { IntegrationApplications } from "@whence/vendors";
import { z } from "zod";
import { serverErrors } from "./errors.ts";
import { integrationApplications, integrationVariables, secretIntegrationVariables } from "./integration-variables.ts";
import { installationModel, modelVariables, secretModelVariables } from "./model-variables.ts";
import { openIdApplication, openIdVariables, secretOpenIdVariables } from "./openid-variables.ts";

const secretKeyBytes = 32;
const defaultDiskReserveBytes = 1_073_741_824;

/** The values of `--role`: a part of the service, or all of it in one process. */
export const roles = ["gateway", "writer", "analyzer", "api", "all"] as const;
export type Role = (typeof roles)[number];

/** The servers that each role needs to be a separate process. */
const neededBy: Readonly<Record<Role, readonly VariableName[]>> = {
  gateway: ["NATS_URL", "DATABASE_URL", "WHENCE_SECRET_KEY"],
  writer: ["NATS_URL", "CLICKHOUSE_URL"],
  analyzer: ["NATS_URL", "CLICKHOUSE_URL", "DATABASE_URL", "WHENCE_SECRET_KEY"],
  api: ["NATS_URL", "CLICKHOUSE_URL", "DATABASE_URL", "WHENCE_SECRET_KEY"],
  all: [],
};

const secretKey = z
  .base64()
  .transform((text) => Buffer.from(text, "base64"))
  // A template or a failed command leaves zeros there, which anyone can guess.
  .refine((key) => key.length === secretKeyBytes && key.some((byte) => byte !== 0));
const secretKeyText = `${secretKeyBytes} random bytes in base64`;
const url = (...protocols: readonly string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join("|")})$`) }).optional();

/** The slug of the organization that every installation has. */
export const defaultOrganization = "default";

/**
 * An organization's slug, a service's name, and an absolute folder: `orders=/srv/orders`, `acme:orders=/srv/orders`.
 */
const sourceFolder = z
  .string()
  .transform(
    (text): Partial<Record<string, string>> =>
      /^\s*(?:(?<organization>[a-z0-9-]+):)?(?<service>[^=]+?)\s*=(?<folder>.+)$/.exec(text)?.groups ?? {},
  )
  .pipe(
    z.object({
      organization: z.string().default(defaultOrganization),
      service: z.string().max(limits.serviceLengthMax),
      folder: z.string().trim().refine(isAbsolute),
    }),
  );

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback).describe("a whole number above 0");

/** The environment, with each variable's accepted values in words. An empty variable counts as unset. */
const environmentSchema = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(4000).describe("a port number from 1 to 65535"),
  HOST: z.string().default("127.0.0.1").describe("an address to listen on"),
  WHENCE_DATA_DIR: z.string().default("./.whence").describe("a folder"),
  WHENCE_APP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("the address that people open, such as https://whence.example.com"),
  WHENCE_BOOTSTRAP_API_KEY: z.string().min(16).max(200).optional().describe("a key of 16 to 200 characters"),
  WHENCE_SECRET_KEY: secretKey.optional().describe(secretKeyText),
  WHENCE_SECRET_KEY_PREVIOUS: z
    .string()
    .transform((text) => text.split(",").map((key) => key.trim()))
    .pipe(z.array(secretKey).max(10))
    .default([])
    .describe(`up to 10 former keys, separated by commas, each ${secretKeyText}`),
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\/\S+$/)
    .optional()
    .describe("nats:// addresses of JetStream servers, separated by commas"),
  NATS_REPLICAS: z.coerce
    .number()
    .int()
    .refine((replicas) => [1, 3, 5].includes(replicas))
    .default(1)
    .describe("how many servers keep each message: 1, 3 or 5"),
  CLICKHOUSE_URL: url("http", "https").describe("the http:// address of a ClickHouse server"),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .optional()
    .describe("the name of a cluster that the ClickHouse server knows"),
  DATABASE_URL: url("postgres", "postgresql").describe("the postgres:// address of a database"),
  WHENCE_QUEUE_BYTES_MAX: z.coerce
    .number()
    .int()
    .min(1_048_576)
    .optional()
    .describe("bytes that may wait in the queue, at least 1048576"),
  WHENCE_DISK_RESERVE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(defaultDiskReserveBytes)
    .describe("bytes of the disk that are kept free for telemetry, 0 for none"),
  WHENCE_TRUSTED_PROXIES: z.string().optional().describe("addresses or networks of the proxies in front, by commas"),
  WHENCE_INVESTIGATIONS: count(2),
  WHENCE_SOURCES: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(sourceFolder).max(500))
    .refine((all) => new Set(all.map(({ organization, service }) => `${organization}:${service}`)).size === all.length)
    .default([])
    .describe("service=/absolute/folder or organization:service=/absolute/folder, separated by commas"),
  WHENCE_PROCESS_EXIT_AFTER_SECONDS: z.coerce
    .number()
    .int()
    .min(5)
    .max(86_400)
    .default(150)
    .describe("seconds, from 5 to 86400"),
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http", "https").describe("the http:// address of an OpenTelemetry collector"),
  WHENCE_SIGNUP: z.enum(["open", "closed"]).default("closed").describe("open or closed"),
  WHENCE_GITHUB_CLIENT_ID: z.string().min(1).optional().describe("the client id of an OAuth application at GitHub"),
  WHENCE_GITHUB_CLIENT_SECRET: z.string().min(1).optional().describe("its secret"),
  WHENCE_GOOGLE_CLIENT_ID: z.string().min(1).optional().describe("the client id of an OAuth application at Google"),
  WHENCE_GOOGLE_CLIENT_SECRET: z.string().min(1).optional().describe("its secret"),
  ...openIdVariables,
  ...integrationVariables,
  ...modelVariables,
  WHENCE_SMTP_URL: url("smtp", "smtps").describe("the smtp:// or smtps:// address of a mail server, with credentials"),
  WHENCE_MAIL_FROM: z.string().min(3).max(300).default("whence@localhost").describe("the sender of mails"),
  WHENCE_ALLOWED_NETWORKS: z
    .string()
    .transform((text) => text.split(",").map((network) => network.trim()))
    .pipe(z.array(z.union([z.cidrv4(), z.cidrv6()])).max(100))
    .default([])
    .describe("up to 100 networks such as 10.0.0.0/8, separated by commas"),
  WHENCE_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("warn")
    .describe("trace, debug, info, warn, error or silent"),
  WHENCE_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30).describe("days, from 1 to 3650"),
  WHENCE_REGISTER_PER_HOUR: count(limits.registerPerHourPerAddress),
  WHENCE_SIGN_IN_PER_MINUTE: count(limits.signInPerMinutePerAddress),
  WHENCE_ANALYZE_PER_MINUTE: count(limits.analyzePerMinutePerKey),
  WHENCE_TELEMETRY_PER_MINUTE: count(limits.telemetryPerMinutePerKey),
  WHENCE_SOURCE_LISTS_PER_MINUTE: count(limits.sourceListsPerMinutePerOrganization),
  WHENCE_UNCLAIMED_ANALYSES_PER_DAY: count(limits.unclaimedAgentAnalysesPerDay),
  WHENCE_UNCLAIMED_ANALYSES_PER_HOUR: count(limits.unclaimedAnalysesPerHourPerAddress),
  WHENCE_AGENT_REGISTRATION: z.enum(["on", "off"]).default("on").describe("on or off"),
});

type Environment = z.infer<typeof environmentSchema>;
type VariableName = keyof Environment;

/** Variables whose values never appear in a message. */
const secretVariables: ReadonlySet<VariableName> = new Set([
  "WHENCE_BOOTSTRAP_API_KEY",
  "WHENCE_SECRET_KEY",
  "WHENCE_SECRET_KEY_PREVIOUS",
  "NATS_URL",
  "CLICKHOUSE_URL",
  "DATABASE_URL",
  "WHENCE_GITHUB_CLIENT_SECRET",
  "WHENCE_GOOGLE_CLIENT_SECRET",
  ...secretOpenIdVariables,
  ...secretIntegrationVariables,
  ...secretModelVariables,
  "WHENCE_SMTP_URL",
]);

/** The configuration of the process, validated once. */
export interface Config {
  readonly role: Role;
  readonly host: string;
  readonly port: number;
  /** An absolute path. */
  readonly dataDirectory: string;
  /** Without a trailing slash. Undefined for the address that the server listens on. */
  readonly appUrl: string | undefined;
  readonly bootstrapApiKey: string | undefined;
  /** 32 bytes. Undefined when the key is created on the first start and kept in the data directory. */
  readonly secretKey: Buffer | undefined;
  /** Former keys, which still decrypt what they encrypted. */
  readonly previousSecretKeys: readonly Buffer[];
  readonly nats: { readonly servers: string; readonly replicas: number } | undefined;
  readonly clickHouse: { readonly url: string; readonly cluster: string | undefined } | undefined;
  readonly postgres: { readonly url: string } | undefined;
  readonly queueBytesMax: number | undefined;
  /** Free bytes on the data directory's disk below which inputs of analyses, and finally telemetry, are refused. */
  readonly diskReserveBytes: number;
  /** The proxies whose `X-Forwarded-For` is trusted. Undefined for none. */
  readonly trustedProxies: string | undefined;
  /** Concurrent investigations per organization in one process. */
  readonly investigationsPerOrganization: number;
  /** The folders with services' source code, each visible to one organization only. */
  readonly sources: readonly Checkout[];
  /** How long a process may send nothing before it counts as ended. */
  readonly exitAfterMs: number;
  /** The endpoint for traces of the service itself. Undefined for none. */
  readonly tracesEndpoint: string | undefined;
  readonly openSignUp: boolean;
  /** Whether agents may register on their own. */
  readonly mayAgentsRegister: boolean;
  /** The sign-in providers in addition to email and password. */
  readonly providers: Providers;
  /** The applications that organizations can authorize to connect integrations. */
  readonly applications: IntegrationApplications;
  /** The language model for all organizations that connect none of their own; null without one. */
  readonly installationModel: InstallationModel | null;
  /** Undefined when mails are written to the log. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  /** Networks, in addition to public addresses, that webhooks may be sent to. */
  readonly allowedNetworks: readonly string[];
  readonly logLevel: Environment["WHENCE_LOG_LEVEL"];
  readonly retentionDays: number;
  readonly rates: {
    readonly registerPerHourPerAddress: number;
    readonly signInPerMinutePerAddress: number;
    readonly analyzePerMinutePerKey: number;
    readonly telemetryPerMinutePerKey: number;
    readonly sourceListsPerMinutePerOrganization: number;
    readonly unclaimedAgentAnalysesPerDay: number;
    readonly unclaimedAnalysesPerHourPerAddress: number;
  };
}

/** A variable for the documentation. */
export interface ConfigVariable {
  readonly name: string;
  readonly takes: string;
  /** The default value. Undefined for none; `Config` says what happens then. */
  readonly fallback: string | undefined;
}

/** All variables, in the order of the documentation. */
export const configVariables: readonly ConfigVariable[] = Object.entries(environmentSchema.shape).map(
  ([name, schema]) => ({ name, takes: schema.description ?? "", fallback: fallbackOf(schema) }),
);

/** Returns a variable's default from its schema; undefined for none and for an empty list. */
function fallbackOf(schema: z.ZodType): string | undefined {
  const value = schema.parse(undefined);
  return value === undefined || Array.isArray(value) ? undefined : String(value);
}

/**
 * Reads the environment for a role. An invalid value stops the start with `WHENCE_ERR_CONFIG_INVALID`, which names the
 * variable, its value, and the accepted values.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, role: Role): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) throw invalid(environmentSchema.keyof().parse(parsed.error.issues[0]?.path[0]), given);
  refuseLonelyRole(role, parsed.data);
  const model = installationModel(parsed.data);
  if (model && "wrong" in model) throw invalid(model.wrong, given);
  const oidc = openIdApplication(parsed.data);
  if (oidc && "wrong" in oidc) throw invalid(oidc.wrong, given);
  return toConfig(role, parsed.data, model, oidc);
}

function invalid(name: VariableName, given: Readonly<Record<string, string | undefined>>): Error {
  const set = secretVariables.has(name) ? "set to something else" : JSON.stringify(given[name]);
  const got = given[name] === undefined ? "nothing" : set;
  return serverErrors.create("WHENCE_ERR_CONFIG_INVALID", [name, got, environmentSchema.shape[name].description ?? ""]);
}

/** Rejects a separate role that lacks a server: roles can't share the data directory of one of them. */
function refuseLonelyRole(role: Role, variables: Environment): void {
  const missing = neededBy[role].find((name) => variables[name] === undefined);
  if (missing !== undefined) throw serverErrors.create("WHENCE_ERR_ROLE_NEEDS", [role, missing]);
}

function toConfig(
  role: Role,
  variables: Environment,
  model: InstallationModel | null,
  oidc: OpenIdApplication | null,
): Config {
  const { WHENCE_SECRET_KEY: secretKey, WHENCE_APP_URL: appUrl } = variables;
  const { WHENCE_SMTP_URL: smtpUrl } = variables;
  const { NATS_URL: servers, CLICKHOUSE_URL: clickHouseUrl, DATABASE_URL: databaseUrl } = variables;
  return {
    role,
    host: variables.HOST,
    port: variables.PORT,
    dataDirectory: resolve(variables.WHENCE_DATA_DIR),
    appUrl: appUrl?.replace(/\/$/, ""),
    bootstrapApiKey: variables.WHENCE_BOOTSTRAP_API_KEY,
    secretKey,
    previousSecretKeys: variables.WHENCE_SECRET_KEY_PREVIOUS,
    nats: servers === undefined ? undefined : { servers, replicas: variables.NATS_REPLICAS },
    clickHouse: clickHouseUrl === undefined ? undefined : { url: clickHouseUrl, cluster: variables.CLICKHOUSE_CLUSTER },
    postgres: databaseUrl === undefined ? undefined : { url: databaseUrl },
    queueBytesMax: variables.WHENCE_QUEUE_BYTES_MAX,
    diskReserveBytes: variables.WHENCE_DISK_RESERVE_BYTES,
    trustedProxies: variables.WHENCE_TRUSTED_PROXIES,
    investigationsPerOrganization: variables.WHENCE_INVESTIGATIONS,
    sources: variables.WHENCE_SOURCES,
    exitAfterMs: variables.WHENCE_PROCESS_EXIT_AFTER_SECONDS * 1_000,
    tracesEndpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
    mayAgentsRegister: variables.WHENCE_AGENT_REGISTRATION === "on",
    openSignUp: variables.WHENCE_SIGNUP === "open",
    providers: {
      ...provider("github", variables.WHENCE_GITHUB_CLIENT_ID, variables.WHENCE_GITHUB_CLIENT_SECRET),
      ...provider("google", variables.WHENCE_GOOGLE_CLIENT_ID, variables.WHENCE_GOOGLE_CLIENT_SECRET),
      ...(oidc && { oidc }),
    },
    applications: integrationApplications(variables),
    installationModel: model,
    smtp: smtpUrl === undefined ? undefined : { url: smtpUrl, from: variables.WHENCE_MAIL_FROM },
    allowedNetworks: variables.WHENCE_ALLOWED_NETWORKS,
    logLevel: variables.WHENCE_LOG_LEVEL,
    retentionDays: variables.WHENCE_RETENTION_DAYS,
    rates: {
      registerPerHourPerAddress: variables.WHENCE_REGISTER_PER_HOUR,
      signInPerMinutePerAddress: variables.WHENCE_SIGN_IN_PER_MINUTE,
      analyzePerMinutePerKey: variables.WHENCE_ANALYZE_PER_MINUTE,
      telemetryPerMinutePerKey: variables.WHENCE_TELEMETRY_PER_MINUTE,
      sourceListsPerMinutePerOrganization: variables.WHENCE_SOURCE_LISTS_PER_MINUTE,
      unclaimedAgentAnalysesPerDay: variables.WHENCE_UNCLAIMED_ANALYSES_PER_DAY,
      unclaimedAnalysesPerHourPerAddress: variables.WHENCE_UNCLAIMED_ANALYSES_PER_HOUR,
    },
  };
}

/** Returns a provider when both of its variables are set. */
function provider(name: "github" | "google", clientId?: string, clientSecret?: string): Providers {
  return clientId === undefined || clientSecret === undefined ? {} : { [name]: { clientId, clientSecret } };
}
