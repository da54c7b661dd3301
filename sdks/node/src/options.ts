import { limits } from "@whence/protocol/limits";
import type { BeforeSend } from "./core/outgoing-event.ts";
import { spoolFolderPath } from "./delivery/spool/spool-folder.ts";
import { releaseFromEnvironment } from "./process/release.ts";

/** What {@link init} takes. */
export interface InitOptions {
  /** The organization's key. Without one nothing is installed and nothing is sent. */
  readonly apiKey: string | undefined;
  /** Names this program among those of the organization. @default "default" */
  readonly service?: string | undefined;
  /** Only failures of `PROD` are investigated; those of other environments are stored. @default "PROD" */
  readonly env?: string | undefined;
  /** When false, nothing is installed and nothing is sent. @default true */
  readonly enabled?: boolean | undefined;
  /** Base address of the service, http or https. @default "http://127.0.0.1:4000" */
  readonly endpoint?: string | undefined;
  /**
   * The version of the program, as the people who deploy it call it. @default the first of the usual environment
   * variables that is set, else `name@version` of the program's package.json
   */
  readonly release?: string | undefined;
  /** Further names of fields whose values are replaced, exact but for case: `[...credentialHeaders, "iban"]`. @default [] */
  readonly redact?: readonly string[] | undefined;
  /** Sees each error, message and log record before it leaves the process. @default none */
  readonly beforeSend?: BeforeSend | undefined;
  /** Loggers that are listened to. @default ["console", "pino"] */
  readonly logs?: readonly LogSource[] | false | undefined;
  /**
   * Keeps on disk what waits to be sent, for the next process of the service to send when this one ends before: in the
   * system's temporary folder, or below the folder that is named. @default false
   */
  readonly spool?: boolean | string | undefined;
  /**
   * Has another thread notice when the main thread stands still, and say where. The thread takes memory: see "What it
   * costs" in the documentation. @default false
   */
  readonly hangWatch?: boolean | undefined;
}

/** A logger that needs no set-up to be listened to. */
export type LogSource = "console" | "pino";

/** {@link InitOptions}, checked and complete. */
export interface Options {
  readonly apiKey: string;
  readonly service: string;
  readonly env: string;
  readonly endpoint: string;
  readonly release: string | undefined;
  readonly redact: readonly string[];
  readonly beforeSend: BeforeSend | undefined;
  readonly logs: readonly LogSource[];
  /** The spool's folder; undefined for no spool. */
  readonly spool: string | undefined;
  readonly hangWatch: boolean;
}

/** Said once for each option that can't be taken as it is. */
export type Warn = (message: string) => void;

const defaults = { service: "default", env: "PROD", endpoint: "http://127.0.0.1:4000" } as const;
/** What `WHENCE_HANG_WATCH` says, and `WHENCE_SPOOL` may say instead of a folder. */
const switches = new Map([
  ...["", "0", "false", "off"].map((text) => [text, false] as const),
  ...["1", "true", "on"].map((text) => [text, true] as const),
]);
const entryOfPm2 = /[\\/]pm2[\\/]lib[\\/]ProcessContainer\w*\.js$/;
const logSources: readonly LogSource[] = ["console", "pino"];

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
    endpoint: rerouted(endpoint(given.endpoint, warn)),
    release: release(given.release, warn),
    redact: listOf(given.redact ?? [], isText, "redact", "names of fields", [], warn),
    beforeSend: beforeSend(given.beforeSend, warn),
    logs:
      given.logs === false
        ? []
        : listOf(given.logs ?? logSources, isLogSource, "logs", "console, pino", logSources, warn),
    spool: spool(given.spool, warn),
    hangWatch: hangWatch(given.hangWatch, warn),
  };
}

/** What the environment says to a program that is started with the client preloaded. */
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

/** The program's entry file: where PM2 puts one of its own into that place, the one that it then runs. */
export function entryFile(): string | undefined {
  const [, entry] = process.argv;
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return (entry && entryOfPm2.test(entry) && process.env.pm_exec_path) || entry;
}

/** Where the doctor listens that started this program; undefined when none did. */
export function doctorAddress(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return process.env.WHENCE_DOCTOR;
}

/** The environment of a program that the doctor starts, with `preload` before all else. */
export function doctorEnvironment(preload: string, address: string, canary: string): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const environment = process.env;
  const flags = `${environment.NODE_OPTIONS ?? ""} --import ${JSON.stringify(preload)}`.trim();
  return { ...environment, NODE_OPTIONS: flags, WHENCE_DOCTOR: address, WHENCE_DOCTOR_CANARY: canary };
}

/** Whether what is printed may be colored (no-color.org). */
export function hasColor(): boolean {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return process.stdout.isTTY === true && !process.env.NO_COLOR;
}

/** Under the doctor everything goes to it, who learns from the path where it would have gone. */
function rerouted(url: string): string {
  const doctor = doctorAddress();
  return doctor === undefined ? url : `${doctor}/${encodeURIComponent(url)}`;
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
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const usual = (): string | undefined => releaseFromEnvironment(process.env);
  if (value === undefined) return usual();
  if (typeof value === "string" && value.length <= limits.textLengthMax) return value;
  warn(`release must be at most ${limits.textLengthMax} characters, got ${describe(value)}: using the usual one`);
  return usual();
}

function spool(value: unknown = false, warn: Warn): string | undefined {
  if (value === false) return undefined;
  if (value === true) return spoolFolderPath(undefined);
  if (typeof value === "string" && value !== "") return spoolFolderPath(value);
  warn(`spool must be a boolean or a folder, got ${describe(value)}: there is none`);
  return undefined;
}

function hangWatch(value: unknown = false, warn: Warn): boolean {
  if (typeof value === "boolean") return value;
  warn(`hangWatch must be a boolean, got ${describe(value)}: it is off`);
  return false;
}

/** What is usable of a list; the rest is warned of. */
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
    warn(`${key} must be a list of ${expected}: ${value.length - usable.length} are none`);
  return usable;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isLogSource(value: unknown): value is LogSource {
  return logSources.some((source) => source === value);
}

/** A scrubber that can't be called must not be passed over in silence: without it nothing of the program's data leaves. */
function beforeSend(value: unknown, warn: Warn): BeforeSend | undefined {
  if (value === undefined || typeof value === "function") return value as BeforeSend | undefined;
  warn(`beforeSend must be a function, got ${describe(value)}: events go without data`);
  return () => {
    throw new TypeError("beforeSend is no function");
  };
}

function describe(value: unknown): string {
  return typeof value === "string" ? `a string of ${value.length} characters` : typeof value;
}
