import { resolve } from "node:path";
import { limits } from "@whence/protocol";
import { z } from "zod";
import { serverErrors } from "./errors.ts";

const secretKeyBytes = 32;

const count = (fallback: number) => z.coerce.number().int().min(1).default(fallback).describe("a whole number above 0");

/** The environment, each variable with what it takes in words. An empty variable counts as not set. */
const environmentSchema = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(4000).describe("a port number from 1 to 65535"),
  HOST: z.string().default("127.0.0.1").describe("an address to listen on"),
  WHENCE_DATA_DIR: z.string().default("./.whence").describe("a folder"),
  WHENCE_APP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("the address that people open, such as https://whence.example.com"),
  WHENCE_BOOTSTRAP_API_KEY: z.string().min(16).max(200).optional().describe("a key of 16 to 200 characters"),
  WHENCE_SECRET_KEY: z
    .base64()
    .refine((text) => Buffer.from(text, "base64").length === secretKeyBytes)
    .optional()
    .describe(`${secretKeyBytes} bytes in base64`),
  WHENCE_SIGNUP: z.enum(["open", "closed"]).default("closed").describe("open or closed"),
  WHENCE_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("warn")
    .describe("trace, debug, info, warn, error or silent"),
  WHENCE_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(30).describe("days, from 1 to 3650"),
  WHENCE_REGISTER_PER_HOUR: count(limits.registerPerHourPerAddress),
  WHENCE_SIGN_IN_PER_MINUTE: count(limits.signInPerMinutePerAddress),
  WHENCE_ANALYZE_PER_MINUTE: count(limits.analyzePerMinutePerKey),
  WHENCE_TELEMETRY_PER_MINUTE: count(limits.telemetryPerMinutePerKey),
  WHENCE_UNCLAIMED_ANALYSES_PER_DAY: count(limits.unclaimedAgentAnalysesPerDay),
});

type Environment = z.infer<typeof environmentSchema>;
type VariableName = keyof Environment;

/** Variables whose values no message repeats. */
const secretVariables: ReadonlySet<VariableName> = new Set(["WHENCE_BOOTSTRAP_API_KEY", "WHENCE_SECRET_KEY"]);

/** What the process was told, checked once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Absolute. */
  readonly dataDirectory: string;
  /** Without a slash at the end. Undefined: the address that the server listens on. */
  readonly appUrl: string | undefined;
  readonly bootstrapApiKey: string | undefined;
  /** 32 bytes. Undefined: made on the first start and kept in the data directory. */
  readonly secretKey: Buffer | undefined;
  readonly openSignUp: boolean;
  readonly logLevel: Environment["WHENCE_LOG_LEVEL"];
  readonly retentionDays: number;
  readonly rates: {
    readonly registerPerHourPerAddress: number;
    readonly signInPerMinutePerAddress: number;
    readonly analyzePerMinutePerKey: number;
    readonly telemetryPerMinutePerKey: number;
    readonly unclaimedAgentAnalysesPerDay: number;
  };
}

/** The names of all variables, and what each takes. */
export const configVariables: readonly { readonly name: string; readonly takes: string }[] = Object.entries(
  environmentSchema.shape,
).map(([name, schema]) => ({ name, takes: schema.description ?? "" }));

/**
 * Reads the environment. A bad value stops the start with `WHENCE_ERR_CONFIG_INVALID`, which names the variable, what
 * it got and what it takes.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(given);
  if (parsed.success) return toConfig(parsed.data);
  const name = environmentSchema.keyof().parse(parsed.error.issues[0]?.path[0]);
  const got = secretVariables.has(name) ? "set to something else" : JSON.stringify(given[name]);
  throw serverErrors.create("WHENCE_ERR_CONFIG_INVALID", [name, got, environmentSchema.shape[name].description ?? ""]);
}

function toConfig(variables: Environment): Config {
  const { WHENCE_SECRET_KEY: secretKey, WHENCE_APP_URL: appUrl } = variables;
  return {
    host: variables.HOST,
    port: variables.PORT,
    dataDirectory: resolve(variables.WHENCE_DATA_DIR),
    appUrl: appUrl?.replace(/\/$/, ""),
    bootstrapApiKey: variables.WHENCE_BOOTSTRAP_API_KEY,
    secretKey: secretKey === undefined ? undefined : Buffer.from(secretKey, "base64"),
    openSignUp: variables.WHENCE_SIGNUP === "open",
    logLevel: variables.WHENCE_LOG_LEVEL,
    retentionDays: variables.WHENCE_RETENTION_DAYS,
    rates: {
      registerPerHourPerAddress: variables.WHENCE_REGISTER_PER_HOUR,
      signInPerMinutePerAddress: variables.WHENCE_SIGN_IN_PER_MINUTE,
      analyzePerMinutePerKey: variables.WHENCE_ANALYZE_PER_MINUTE,
      telemetryPerMinutePerKey: variables.WHENCE_TELEMETRY_PER_MINUTE,
      unclaimedAgentAnalysesPerDay: variables.WHENCE_UNCLAIMED_ANALYSES_PER_DAY,
    },
  };
}
