import { limits } from "@whence/protocol/limits";
import { releaseFromEnvironment } from "./process/release.ts";

/** Texts for booleans, in variables and in options that a program fills from its own variables. */
const switches: ReadonlyMap<string, boolean> = new Map([
  ...["", "0", "false", "no", "off"].map((text) => [text, false] as const),
  ...["1", "true", "yes", "on"].map((text) => [text, true] as const),
]);
/** Matches the entry file of a test runner, or of the processes and threads that it starts. */
const entryOfTests =
  /[\\/]node_modules[\\/](?:\.bin[\\/])?(?:@?vitest|@?jest|@?ava|@?playwright|mocha|tap|jasmine|tinypool|uvu)\b/;
const entryOfPm2 = /[\\/]pm2[\\/]lib[\\/]ProcessContainer\w*\.js$/;

/** What a server that runs a program for each request (RFC 3875) says about the request. */
const requestVariables: ReadonlySet<string> = new Set(
  [
    ["GATEWAY_INTERFACE", "REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "CONTENT_TYPE", "CONTENT_LENGTH"],
    ["SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", "SERVER_SOFTWARE", "REMOTE_ADDR", "REMOTE_HOST"],
  ].flat(),
);
/** Taken before the program may replace it, or remove a secret that copies of it still have. */
// biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
const environment = process.env;
const atStart = { ...environment };

/** Returns the boolean that a text stands for, ignoring case; undefined for any other text. */
export function switchOf(text: string): boolean | undefined {
  return switches.get(text.trim().toLowerCase());
}

/** Returns the value of an environment variable; undefined when it isn't set. */
export function variable(name: string): string | undefined {
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  return process.env[name];
}

/**
 * Returns the names of the variables that are set; undefined when an event can't carry all of them, and on Windows,
 * where a program may spell them in another case.
 */
export function setVariables(): string[] | undefined {
  if (process.platform === "win32") return undefined;
  // biome-ignore lint/style/noProcessEnv: this is the file of the package that reads the environment
  const names = Object.keys(process.env);
  const fits = names.length <= limits.environmentVariablesMax;
  return fits && names.every(({ length }) => length <= limits.environmentVariableLengthMax) ? names : undefined;
}

/** Whether this is a variable of the environment with its value, except an empty one. */
export function isVariable(name: string, value: unknown): boolean {
  if (typeof value !== "string" || value === "" || requestVariables.has(name)) return false;
  return atStart[name] === value || environment[name] === value;
}

/** Returns the release named by the environment. */
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
