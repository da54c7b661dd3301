import { limits } from "@whence/protocol/limits";
import type { BeforeSend } from "./core/outgoing-event.ts";
import { spoolFolderPath } from "./delivery/spool/spool-folder.ts";
import { releaseFromEnvironment } from "./process/release.ts";

/** Options of {@link init}. */
export interface InitOptions {
  /** An API key of your organization with the `send` scope. Without one, the client is off. */
  readonly apiKey: string | undefined;
  /** The name of your program. @default "default" */
  readonly service?: string | undefined;
  /** The environment. Failures outside of `PROD` are stored, but not investigated. @default "PROD" */
  readonly env?: string | undefined;
  /** `false` turns the client off: nothing is installed or sent. @default true */
  readonly enabled?: boolean | undefined;
  /** Base URL of your Whence server, http or https. @default "http://127.0.0.1:4000" */
  readonly endpoint?: string | undefined;
  /**
   * The version of your program, as your deploys name it. @default the first common release variable that is set, such
   * as `GIT_COMMIT`, else `name@version` from the program's package.json
   */
  readonly release?: string | undefined;
  /** Additional field names to redact, ignoring case: `[...credentialHeaders, "iban"]`. @default [] */
  readonly redact?: readonly string[] | undefined;
  /** Inspects, changes or drops each event before it leaves the process. @default none */
  readonly beforeSend?: BeforeSend | undefined;
  /** The loggers to record; `false` for none. @default ["console", "pino"] */
  readonly logs?: readonly LogSource[] | false | undefined;
  /**
   * Keeps queued events on disk as well, so that the next process of the service sends them if this one can't: in the
   * system's temporary folder, or in the given folder. @default false
   */
  readonly spool?: boolean | string | undefined;
  /**
   * Reports a blocked main thread, and its stack, from a second thread. The thread takes 8 to 12 MiB of memory.
   * @default false
   */
  readonly hangWatch?: boolean | undefined;
}

/** A logger that is recorded without any setup. */
export type LogSource = "console" | "pino";

/** {@link InitOptions}, validated and complete. */
export interface Options {
  readonly apiKey: string;
  readonly service: string;
  readonly env: string;
  readonly endpoint: string;
  readonly release: string | undefined;
  readonly redact: readonly string[];
  readonly beforeSend: BeforeSend | undefined;
  readonly logs: readonly LogSource[];
  /** The spool's folder; undefined without a spool. */
  readonly spool: string | undefined;
  readonly hangWatch: boolean;
}

/** Called once for each invalid option. */
export type Warn = (message: string) => void;

const defaults = { service: "default", env: "PROD", endpoint: "http://127.0.0.1:4000" } as const;
/** Values of `WHENCE_HANG_WATCH`, and of `WHENCE_SPOOL` when it isn't a folder. */
const switches = new Map([
  ...["", "0", "false", "off"].map((text) => [text, false] as const),
  ...["1", "true", "on"].map((text) => [text, true] as const),
]);
const entryOfPm2 = /[\\/]pm2[\\/]lib[\\/]ProcessContainer\w*\.js$/;
const logSources: readonly LogSource[] = ["console", "pino"];

/**
 * Returns the options to run with; undefined when the client stays off, because `enabled` is false or there is no valid
 * `apiKey`. Warns about an invalid option and uses its default: a misconfigured client must not stop a program.
 */
export function resolveOptions(input: InitOptions, warn: Warn): Options | undefined {
  const given: Readonly<Record<string, unknown>> = { ...input };
  const enabled = given.enabled ?? true;
  if (enabled === false) return undefined;
  if (enabled !== true) warn(`enabled must be a boolean, got ${describe(enabled)}: leaving the client on`);
  const apiKey = given.apiKey;
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey)) {
    warn(
      `apiKey must be an API key of your organization, got ${apiKey === undefined ? "none" : "something else"}: the client is off`,
    );
    return undefined;
  }
  return {
    apiKey,
    service: name(given, "service", warn),
    env: name(given, "env", warn),
    endpoint: rerouted(endpoint(given.endpoint, warn)),
    release: release(given.release, warn),
    redact: listOf(given.redact ?? [], isText, "redact", "field names", [], warn),
    beforeSend: beforeSend(given.beforeSend, warn),
    logs:
      given.logs === false
        ? []
        : listOf(given.logs ?? logSources, isLogSource, "logs", "console, pino", logSources, warn),
    spool: spool(given.spool, warn),
    hangWatch: hangWatch(given.hangWatch, warn),
  };
}

/** Returns the options from the environment, for a program that preloads the client. */
export function optionsFromEnvironment(): InitOptions {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const environment = process.env;
  const { WHENCE_API_KEY = "", WHENCE_SERVICE, WHENCE_ENV, WHENCE_ENDPOINT, WHENCE_SPOOL = "" } = environment;
  return {
    ...{ apiKey: WHENCE_API_KEY, service: WHENCE_SERVICE, env: WHENCE_ENV, endpoint: WHENCE_ENDPOINT },
    spool: switches.get(WHENCE_SPOOL.toLowerCase()) ?? WHENCE_SPOOL,
    hangWatch: switches.get((environment.WHENCE_HANG_WATCH || "off").toLowerCase()),
  };
}

/** Returns the program's entry file; under PM2, which starts a wrapper, the file that the wrapper runs. */
export function entryFile(): string | undefined {
  const [, entry] = process.argv;
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return (entry && entryOfPm2.test(entry) && process.env.pm_exec_path) || entry;
}

/** Returns the address of the doctor that started this program; undefined without one. */
export function doctorAddress(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return process.env.WHENCE_DOCTOR;
}

/** Returns the environment of a program that the doctor starts, with `preload` loaded first. */
export function doctorEnvironment(preload: string, address: string, canary: string): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const environment = process.env;
  const flags = `${environment.NODE_OPTIONS ?? ""} --import ${JSON.stringify(preload)}`.trim();
  return { ...environment, NODE_OPTIONS: flags, WHENCE_DOCTOR: address, WHENCE_DOCTOR_CANARY: canary };
}

/** Whether output may be colored (no-color.org). */
export function hasColor(): boolean {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

/** Redirects events to the doctor, if there is one; the path tells it where they would have gone. */
function rerouted(url: string): string {
  const doctor = doctorAddress();
  return doctor === undefined ? url : `${doctor}/${encodeURIComponent(url)}`;
}

/** Returns Node's flags, from the command line and the environment. */
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
    // Not a URL: the caller warns.
    return "";
  }
}

function release(value: unknown, warn: Warn): string | undefined {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const usual = (): string | undefined => releaseFromEnvironment(process.env);
  if (value === undefined) return usual();
  if (typeof value === "string" && value.length <= limits.textLengthMax) return value;
  warn(`release must be at most ${limits.textLengthMax} characters, got ${describe(value)}: using the default`);
  return usual();
}

function spool(value: unknown = false, warn: Warn): string | undefined {
  if (value === false) return undefined;
  if (value === true) return spoolFolderPath(undefined);
  if (typeof value === "string" && value !== "") return spoolFolderPath(value);
  warn(`spool must be a boolean or a folder, got ${describe(value)}: the spool is off`);
  return undefined;
}

function hangWatch(value: unknown = false, warn: Warn): boolean {
  if (typeof value === "boolean") return value;
  warn(`hangWatch must be a boolean, got ${describe(value)}: hang detection is off`);
  return false;
}

/** Returns the valid items of a list, and warns about the others. */
function listOf<Item>(
  value: unknown,
  isItem: (item: unknown) => item is Item,
  key: string,
  expected: string,
  fallback: readonly Item[],
  warn: Warn,
): readonly Item[] {
  if (!Array.isArray(value)) {
    warn(`${key} must be a list of ${expected}, got ${describe(value)}: using the default`);
    return fallback;
  }
  const usable = value.filter(isItem);
  if (usable.length < value.length)
    warn(`${key} must be a list of ${expected}: ignoring ${value.length - usable.length} other values`);
  return usable;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isLogSource(value: unknown): value is LogSource {
  return logSources.some((source) => source === value);
}

/** A hook that can't be called must not be ignored: without the hook, none of the program's data may leave. */
function beforeSend(value: unknown, warn: Warn): BeforeSend | undefined {
  if (value === undefined || typeof value === "function") return value as BeforeSend | undefined;
  warn(`beforeSend must be a function, got ${describe(value)}: events are sent without their data`);
  return () => {
    throw new TypeError("beforeSend is not a function");
  };
}

function describe(value: unknown): string {
  return typeof value === "string" ? `a string of ${value.length} characters` : typeof value;
}
