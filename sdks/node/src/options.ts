import { limits } from "@whence/protocol/limits";

/** What {@link init} takes. */
export interface InitOptions {
  /** The organization's key. Without one nothing is installed and nothing is sent. */
  readonly apiKey: string;
  /** Names this program among those of the organization. @default "default" */
  readonly service?: string | undefined;
  /** Only failures of `PROD` are investigated; those of other environments are stored. @default "PROD" */
  readonly env?: string | undefined;
  /** When false, nothing is installed and nothing is sent. @default true */
  readonly enabled?: boolean | undefined;
  /** Base address of the service, http or https. @default "http://127.0.0.1:4000" */
  readonly endpoint?: string | undefined;
  /** The version of the program, as the people who deploy it call it. @default none */
  readonly release?: string | undefined;
}

/** {@link InitOptions}, checked and complete. */
export interface Options {
  readonly apiKey: string;
  readonly service: string;
  readonly env: string;
  readonly endpoint: string;
  readonly release: string | undefined;
}

/** Said once for each option that can't be taken as it is. */
export type Warn = (message: string) => void;

const defaults = { service: "default", env: "PROD", endpoint: "http://127.0.0.1:4000" } as const;

/**
 * The options to run with; undefined when the client stays off, which is when `enabled` is false or there is no usable
 * `apiKey`. A bad option is warned of and replaced by its default: a mistake in telemetry must not stop a program.
 */
export function resolveOptions(input: InitOptions, warn: Warn): Options | undefined {
  const given: Readonly<Record<string, unknown>> = { ...input };
  const enabled = given.enabled ?? true;
  if (enabled === false) return undefined;
  if (enabled !== true) warn(`enabled must be a boolean, got ${describe(enabled)}: the client is on`);
  const apiKey = given.apiKey;
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    warn(
      `apiKey must be the organization's key, got ${apiKey === undefined ? "none" : "something else"}: the client is off`,
    );
    return undefined;
  }
  return {
    apiKey,
    service: name(given, "service", warn),
    env: name(given, "env", warn),
    endpoint: endpoint(given.endpoint, warn),
    release: release(given.release, warn),
  };
}

/** Node's flags, wherever they were given: on the command line or in the environment. */
export function nodeFlags(): string[] {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const { NODE_OPTIONS = "" } = process.env;
  return [...NODE_OPTIONS.split(/\s+/), ...process.execArgv];
}

function name(given: Readonly<Record<string, unknown>>, key: "service" | "env", warn: Warn): string {
  const value = given[key] ?? defaults[key];
  if (typeof value === "string" && value.length >= 1 && value.length <= limits.serviceLengthMax) return value;
  warn(`${key} must be 1 to ${limits.serviceLengthMax} characters, got ${describe(value)}: using "${defaults[key]}"`);
  return defaults[key];
}

function endpoint(value: unknown = defaults.endpoint, warn: Warn): string {
  if (typeof value === "string" && /^https?:$/.test(protocolOf(value))) return value;
  warn(`endpoint must be an http or https URL, got ${describe(value)}: using ${defaults.endpoint}`);
  return defaults.endpoint;
}

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    // No URL at all: the caller says so.
    return "";
  }
}

function release(value: unknown, warn: Warn): string | undefined {
  if (value === undefined || (typeof value === "string" && value.length <= limits.textLengthMax)) return value;
  warn(`release must be at most ${limits.textLengthMax} characters, got ${describe(value)}: using none`);
  return undefined;
}

function describe(value: unknown): string {
  return typeof value === "string" ? `a string of ${value.length} characters` : typeof value;
}
