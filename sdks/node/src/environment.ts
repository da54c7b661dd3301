import type { InitOptions } from "./options.ts";
import { releaseFromEnvironment } from "./process/release.ts";

/** Options that are code: no variable can hold them. */
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
  logs: "WHENCE_LOGS",
  databases: "WHENCE_DATABASES",
  spool: "WHENCE_SPOOL",
  hangWatch: "WHENCE_HANG_WATCH",
  watchServers: "WHENCE_WATCH_SERVERS",
};

/** What stands for a boolean in a variable, and in an option that a program fills from a variable of its own. */
const switches: ReadonlyMap<string, boolean> = new Map([
  ...["", "0", "false", "no", "off"].map((text) => [text, false] as const),
  ...["1", "true", "yes", "on"].map((text) => [text, true] as const),
]);
/** An entry file of a test runner, or of the processes and threads that it starts. */
const entryOfTests =
  /[\\/]node_modules[\\/](?:\.bin[\\/])?(?:@?vitest|@?jest|@?ava|@?playwright|mocha|tap|jasmine|tinypool|uvu)\b/;
const entryOfPm2 = /[\\/]pm2[\\/]lib[\\/]ProcessContainer\w*\.js$/;

/** Returns the boolean that a text stands for, ignoring case; undefined for any other text. */
export function switchOf(text: string): boolean | undefined {
  return switches.get(text.trim().toLowerCase());
}

/**
 * Returns the options from the environment, for a program that preloads the client. They are checked like those of a
 * program: a text that makes no sense passes.
 */
export function optionsFromEnvironment(): InitOptions {
  const text = (option: keyof typeof optionVariables): string | undefined =>
    // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
    process.env[optionVariables[option]]?.trim() || undefined;
  const flag = (value: string | undefined): string | boolean | undefined => (value && switchOf(value)) ?? value;
  const sampleRate = text("sampleRate");
  const logs = text("logs");
  const options: { readonly [Option in keyof InitOptions]: unknown } = {
    ...{ apiKey: text("apiKey") ?? "", service: text("service"), env: text("env"), endpoint: text("endpoint") },
    ...{ enabled: text("enabled"), release: text("release"), redact: listIn(text("redact")) },
    ...{ errorFields: listIn(text("errorFields")), ignoreErrors: listIn(text("ignoreErrors")) },
    sampleRate: sampleRate === undefined ? undefined : Number(sampleRate),
    logs: logs !== undefined && switchOf(logs) === false ? false : listIn(logs),
    databases: flag(text("databases")),
    ...{ spool: flag(text("spool")), hangWatch: flag(text("hangWatch")) },
    watchServers: flag(text("watchServers") ?? "on"),
  };
  return options as InitOptions;
}

function listIn(text: string | undefined): string[] | undefined {
  const items = text?.split(",").map((item) => item.trim());
  return items?.filter((item) => item !== "");
}

/** Returns the version that the environment names. */
export function usualRelease(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return releaseFromEnvironment(process.env);
}

/** Returns the program's entry file; under PM2, which starts a wrapper, the file that the wrapper runs. */
export function entryFile(): string | undefined {
  const [, entry] = process.argv;
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return (entry && entryOfPm2.test(entry) && process.env.pm_exec_path) || entry;
}

/** Whether this process runs tests, or is one that a test runner started to run them. */
export function isTestRun(): boolean {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const isStartedByNode = process.env.NODE_TEST_CONTEXT !== undefined || nodeFlags().includes("--test");
  return isStartedByNode || entryOfTests.test(entryFile() ?? "");
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

/** Returns Node's flags, from the command line and the environment. */
export function nodeFlags(): string[] {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const { NODE_OPTIONS = "" } = process.env;
  return [...NODE_OPTIONS.split(/\s+/), ...process.execArgv];
}
