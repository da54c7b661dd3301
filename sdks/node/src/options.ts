import { isRegExp } from "node:util/types";
import { limits } from "@whence/protocol/limits";
import type { EventRules } from "./core/event-rules.ts";
import type { IgnoredErrors } from "./core/ignored-errors.ts";
import type { BeforeBreadcrumb, BeforeSend } from "./core/outgoing-event.ts";
import { spoolFolderPath } from "./delivery/spool/spool-folder.ts";
import { defaultSpool, type SpoolPlace } from "./delivery/spool/spool-place.ts";
import { doctorAddress, switchOf, usualRelease } from "./environment.ts";

/** Options of {@link init}. */
export interface InitOptions {
  /** An API key of your organization with the `send` scope. Without one, the client is off. */
  readonly apiKey: string | undefined;
  /** The name of your program. @default "default" */
  readonly service?: string | undefined;
  /** The environment. Failures outside of `PROD` are stored, but not investigated. @default "PROD" */
  readonly env?: string | undefined;
  /**
   * `false` turns the client off: nothing is installed or sent. So do the strings `"false"`, `"0"`, `"no"`, `"off"`,
   * and `""`, for a value from a variable. @default true
   */
  readonly enabled?: boolean | string | undefined;
  /** Base URL of your Whence server, http or https. @default "http://127.0.0.1:4000" */
  readonly endpoint?: string | undefined;
  /**
   * The version of your program, as your deploys name it. @default the first common release variable that is set, such
   * as `GIT_COMMIT`, else `name@version` of the program's package.json, and its commit
   */
  readonly release?: string | undefined;
  /** Additional field names to redact, ignoring case: `[...credentialHeaders, "iban"]`. @default [] */
  readonly redact?: readonly string[] | undefined;
  /**
   * Own properties of errors to report in addition to the usual ones, such as `code`, ignoring case: `["orderId"]`.
   * @default []
   */
  readonly errorFields?: readonly string[] | undefined;
  /** Inspects, changes or drops each event before it leaves the process. @default none */
  readonly beforeSend?: BeforeSend | undefined;
  /** Inspects, changes or drops each breadcrumb when it is recorded. @default none */
  readonly beforeBreadcrumb?: BeforeBreadcrumb | undefined;
  /**
   * Errors and messages that aren't reported: a string that is part of `Name: message`, or a pattern that matches it.
   * An error that ends the process is reported anyway. @default []
   */
  readonly ignoreErrors?: IgnoredErrors | undefined;
  /** The share of errors and messages that are reported, from 0 to 1; uncaught errors always are. @default 1 */
  readonly sampleRate?: number | undefined;
  /**
   * The source code that leaves the process: the functions on the stack, and the program's own files when an
   * investigation lacks them (`"files"`); the functions alone (`"functions"`); or `"none"`. @default "files"
   */
  readonly source?: SourceSent | undefined;
  /** The loggers to record; `false` for none. @default ["console", "pino"] */
  readonly logs?: readonly LogSource[] | false | undefined;
  /** `false` to record no database calls. @default true */
  readonly databases?: boolean | undefined;
  /**
   * Keeps queued events on disk until they are sent, so that the next process of the service sends them if this one
   * can't: in the system's temporary folder (`true`) or in the given folder; or only in memory (`false`). @default true
   */
  readonly spool?: boolean | string | undefined;
  /**
   * Reports a blocked main thread, and its stack, from a second thread. The thread takes 8 to 12 MiB of memory.
   * @default false
   */
  readonly hangWatch?: boolean | undefined;
  /**
   * Reports the values of local variables where an error was thrown. The program is stopped for about 1 ms at each throw
   * in its own code, ten times a second at most, and every `await` costs more. @default false
   */
  readonly localVariables?: boolean | undefined;
  /**
   * Ties what is recorded while a `node:http` or `https` server serves a request to that request, without middleware.
   * @default false
   */
  readonly watchServers?: boolean | undefined;
  /**
   * Lets members of your organization watch places of this program for up to an hour: the service signs an order, and the
   * values at these places are part of later failures. `"<organization>:<public key>"` trusts that key; `true` trusts the
   * first one that the service names, over https or on this machine. @default false
   */
  readonly watch?: boolean | string | undefined;
}

/** A logger that is recorded without any setup. */
export type LogSource = "console" | "pino";

/** The source code that leaves the process. */
export type SourceSent = "files" | "functions" | "none";

/** {@link InitOptions}, validated and complete. */
export interface Options {
  readonly apiKey: string;
  readonly service: string;
  readonly env: string;
  readonly endpoint: string;
  readonly release: string | undefined;
  readonly redact: readonly string[];
  readonly errorFields: readonly string[];
  /** Changed by a later `init`. */
  readonly rules: EventRules;
  readonly source: SourceSent;
  readonly logs: readonly LogSource[];
  readonly databases: boolean;
  readonly spool: SpoolPlace;
  readonly hangWatch: boolean;
  readonly localVariables: boolean;
  readonly watchServers: boolean;
  readonly watch: boolean | string;
}

/** Called once for each invalid option. */
export type Warn = (message: string) => void;

const defaults = { service: "default", env: "PROD", endpoint: "http://127.0.0.1:4000" } as const;
/** Matches host names of this machine. */
const thisMachine = /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;
const logSources: readonly LogSource[] = ["console", "pino"];

/**
 * Returns the options to run with; undefined when the client stays off, because `enabled` is false or there is no valid
 * `apiKey`. Warns about an invalid option and uses its default: a misconfigured client must not stop a program.
 */
export function resolveOptions(input: InitOptions, warn: Warn): Options | undefined {
  const given: Readonly<Record<string, unknown>> = { ...input };
  if (!isEnabled(given.enabled, warn)) return undefined;
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
    env: environment(given, warn),
    endpoint: rerouted(endpoint(given.endpoint, warn)),
    release: release(given.release, warn),
    redact: listOf(given.redact ?? [], isText, "redact", "field names", [], warn),
    errorFields: listOf(given.errorFields ?? [], isText, "errorFields", "field names", [], warn),
    rules: {
      beforeSend: beforeSend(given.beforeSend, warn),
      beforeBreadcrumb: beforeBreadcrumb(given.beforeBreadcrumb, warn),
      ignoreErrors: listOf(given.ignoreErrors ?? [], isIgnorable, "ignoreErrors", "texts and patterns", [], warn),
      sampleRate: sampleRate(given.sampleRate, warn),
    },
    source: source(given.source, warn),
    logs:
      given.logs === false
        ? []
        : listOf(given.logs ?? logSources, isLogSource, "logs", "console, pino", logSources, warn),
    databases: databases(given.databases, warn),
    spool: spool(given.spool, warn),
    hangWatch: flag(given.hangWatch, "hangWatch", "hang detection is off", warn),
    localVariables: flag(given.localVariables, "localVariables", "no local variables are recorded", warn),
    watchServers: flag(given.watchServers, "watchServers", "servers aren't watched", warn),
    watch: watch(given.watch, warn),
  };
}

/** Returns whether the client is on. A string counts as it would in a variable. */
export function isEnabled(value: unknown = true, warn: Warn): boolean {
  const enabled = typeof value === "string" ? switchOf(value) : value;
  if (typeof enabled === "boolean") return enabled;
  warn(`enabled must be a boolean, got ${describe(value)}: leaving the client on`);
  return true;
}

function environment(given: Readonly<Record<string, unknown>>, warn: Warn): string {
  const env = name(given, "env", warn);
  if (env !== defaults.env && /^prod(uction)?$/i.test(env))
    warn(`env is "${env}", but only failures in "${defaults.env}" are investigated: set env to "${defaults.env}"`);
  return env;
}

/** Redirects events to the doctor, if it is running; the path tells it the original destination. */
function rerouted(url: string): string {
  const doctor = doctorAddress();
  return doctor === undefined ? url : `${doctor}/${encodeURIComponent(url)}`;
}

function name(given: Readonly<Record<string, unknown>>, key: "service" | "env", warn: Warn): string {
  const value = given[key] ?? defaults[key];
  if (typeof value === "string" && value.length >= 1 && value.length <= limits.serviceLengthMax) return value;
  warn(`${key} must be 1 to ${limits.serviceLengthMax} characters, got ${describe(value)}: using "${defaults[key]}"`);
  return defaults[key];
}

function endpoint(value: unknown = defaults.endpoint, warn: Warn): string {
  const url = typeof value === "string" ? parsed(value) : undefined;
  if (typeof value !== "string" || !url || !/^https?:$/.test(url.protocol)) {
    warn(`endpoint must be an http or https URL, got ${describe(value)}: using ${defaults.endpoint}`);
    return defaults.endpoint;
  }
  if (url.protocol === "http:" && !thisMachine.test(url.hostname))
    warn(`endpoint is http://${url.host}: the API key and all events are sent unencrypted, use https`);
  return value;
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    // Not a URL; the caller warns.
    return undefined;
  }
}

function release(value: unknown, warn: Warn): string | undefined {
  if (value === undefined) return usualRelease();
  if (typeof value === "string" && value.length <= limits.textLengthMax) return value;
  warn(`release must be at most ${limits.textLengthMax} characters, got ${describe(value)}: using the default`);
  return usualRelease();
}

function sampleRate(value: unknown = 1, warn: Warn): number {
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  warn(`sampleRate must be a number from 0 to 1, got ${describe(value)}: reporting everything`);
  return 1;
}

function beforeBreadcrumb(value: unknown, warn: Warn): BeforeBreadcrumb | undefined {
  if (value === undefined || typeof value === "function") return value as BeforeBreadcrumb | undefined;
  warn(`beforeBreadcrumb must be a function, got ${describe(value)}: recording no breadcrumbs`);
  return () => null;
}

function spool(value: unknown, warn: Warn): SpoolPlace {
  if (value === undefined) return defaultSpool();
  if (value === false) return { off: "spool is false" };
  if (value === true) return { folder: spoolFolderPath(undefined) };
  if (typeof value === "string" && value !== "") return { folder: spoolFolderPath(value) };
  warn(`spool must be a boolean or a folder, got ${describe(value)}: the spool is off`);
  return { off: "spool is neither a boolean nor a folder" };
}

function source(value: unknown = "files", warn: Warn): SourceSent {
  if (value === "files" || value === "functions" || value === "none") return value;
  warn(`source must be "files", "functions" or "none", got ${describe(value)}: sending functions only`);
  return "functions";
}

function databases(value: unknown = true, warn: Warn): boolean {
  if (typeof value === "boolean") return value;
  warn(`databases must be a boolean, got ${describe(value)}: recording them`);
  return true;
}

function flag(value: unknown = false, key: string, consequence: string, warn: Warn): boolean {
  if (typeof value === "boolean") return value;
  warn(`${key} must be a boolean, got ${describe(value)}: ${consequence}`);
  return false;
}

function watch(value: unknown = false, warn: Warn): boolean | string {
  if (typeof value === "boolean" || (typeof value === "string" && /^[^\s:]+:[\w-]{43}$/.test(value))) return value;
  warn(`watch must be a boolean or "<organization>:<public key>", got ${describe(value)}: no places are watched`);
  return false;
}

/** Whether no one between can read or change what a server at this address answers. */
export function isPrivateAddress(address: string): boolean {
  const url = parsed(address);
  return url !== undefined && (url.protocol === "https:" || thisMachine.test(url.hostname));
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

function isIgnorable(value: unknown): value is string | RegExp {
  return (typeof value === "string" && value !== "") || isRegExp(value);
}

function isLogSource(value: unknown): value is LogSource {
  return logSources.some((source) => source === value);
}

/**
 * Returns the hook. One that can't be called drops all events rather than being ignored: without it, none of the
 * program's data may leave.
 */
function beforeSend(value: unknown, warn: Warn): BeforeSend | undefined {
  if (value === undefined || typeof value === "function") return value as BeforeSend | undefined;
  warn(`beforeSend must be a function, got ${describe(value)}: events are sent without their data`);
  return () => {
    throw new TypeError("beforeSend is not a function");
  };
}

function describe(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? `a string of ${value.length} characters` : typeof value;
}
