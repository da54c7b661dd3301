import { switchOf, variable } from "./environment.ts";
import type { InitOptions } from "./options.ts";

/** Options that are code, which no variable can hold. */
type CodeOption = "beforeSend" | "beforeBreadcrumb";

/** The variable of each option, for a program that preloads the client. An empty one counts as unset. */
export const optionVariables: Readonly<Record<Exclude<keyof InitOptions, CodeOption>, string>> = {
  apiKey: "WHENCE_API_KEY",
  service: "WHENCE_SERVICE",
  env: "WHENCE_ENV",
  enabled: "WHENCE_ENABLED",
  endpoint: "WHENCE_ENDPOINT",
  release: "WHENCE_RELEASE",
  redact: "WHENCE_REDACT",
  errorFields: "WHENCE_ERROR_FIELDS",
  ignoreErrors: "WHENCE_IGNORE_ERRORS",
  sampleRate: "WHENCE_SAMPLE_RATE",
  source: "WHENCE_SOURCE",
  logs: "WHENCE_LOGS",
  databases: "WHENCE_DATABASES",
  spool: "WHENCE_SPOOL",
  hangWatch: "WHENCE_HANG_WATCH",
  localVariables: "WHENCE_LOCAL_VARIABLES",
  watchServers: "WHENCE_WATCH_SERVERS",
  watch: "WHENCE_WATCH_PLACES",
};

/**
 * Returns the options from the environment, for a program that preloads the client. They aren't validated here, but
 * like a program's own.
 */
export function optionsFromEnvironment(): InitOptions {
  const text = (option: keyof typeof optionVariables): string | undefined =>
    variable(optionVariables[option])?.trim() || undefined;
  const flag = (value: string | undefined): string | boolean | undefined => (value && switchOf(value)) ?? value;
  const sampleRate = text("sampleRate");
  const logs = text("logs");
  const options: { readonly [Option in keyof InitOptions]: unknown } = {
    apiKey: text("apiKey") ?? "",
    service: text("service"),
    env: text("env"),
    endpoint: text("endpoint"),
    enabled: text("enabled"),
    release: text("release"),
    redact: listIn(text("redact")),
    errorFields: listIn(text("errorFields")),
    ignoreErrors: listIn(text("ignoreErrors")),
    sampleRate: sampleRate === undefined ? undefined : Number(sampleRate),
    source: text("source"),
    logs: logs !== undefined && switchOf(logs) === false ? false : listIn(logs),
    databases: flag(text("databases")),
    spool: flag(text("spool")),
    hangWatch: flag(text("hangWatch")),
    localVariables: flag(text("localVariables")),
    watchServers: flag(text("watchServers") ?? "on"),
    watch: flag(text("watch")),
  };
  return options as InitOptions;
}

function listIn(text: string | undefined): string[] | undefined {
  const items = text?.split(",").map((item) => item.trim());
  return items?.filter((item) => item !== "");
}
