import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { optionsFromEnvironment, optionVariables } from "../src/environment-options.ts";
import { type InitOptions, resolveOptions } from "../src/options.ts";
import { releaseVariables } from "../src/process/release.ts";

/** Returns the result of options that an untyped program may pass. */
function resolve(given: Record<string, unknown>): { options: unknown; warnings: string[] } {
  const warnings: string[] = [];
  const options = resolveOptions(given as unknown as InitOptions, (message) => warnings.push(message));
  return { options, warnings };
}

const noHooks = { beforeSend: undefined, beforeBreadcrumb: undefined };

for (const name of releaseVariables) vi.stubEnv(name, undefined);

describe("the options", () => {
  // requirement: telemetry.option-service-default
  // requirement: telemetry.option-env-default
  // requirement: telemetry.option-enabled-default
  it("have the specification's defaults", () => {
    expect(resolve({ apiKey: "whk_1" })).toEqual({
      options: {
        apiKey: "whk_1",
        service: "default",
        env: "PROD",
        endpoint: "http://127.0.0.1:4000",
        release: undefined,
        redact: [],
        errorFields: [],
        rules: { beforeSend: undefined, beforeBreadcrumb: undefined, ignoreErrors: [], sampleRate: 1 },
        source: "files",
        logs: ["console", "pino"],
        databases: true,
        spool: { folder: join(tmpdir(), `whence-spool-${process.getuid?.()}`) },
        hangWatch: false,
        localVariables: false,
        watchServers: false,
        watch: false,
      },
      warnings: [],
    });
  });

  // requirement: telemetry.option-api-key
  it.each([undefined, "", 7, "two words", "line\nbreak"])(
    "without a usable key (%j) leave the client off and warn once",
    (apiKey) => {
      const { options, warnings } = resolve({ apiKey });
      expect(options).toBeUndefined();
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/^apiKey must be/);
    },
  );

  // requirement: telemetry.option-enabled-false
  it("don't warn when the client is turned off, whatever else they are", () => {
    expect(resolve({ enabled: false, endpoint: 5 })).toEqual({ options: undefined, warnings: [] });
  });

  it.each([
    ["service", "", { service: "default" }],
    ["service", "x".repeat(201), { service: "default" }],
    ["env", 3, { env: "PROD" }],
    ["endpoint", "ftp://host", { endpoint: "http://127.0.0.1:4000" }],
    ["endpoint", "nowhere", { endpoint: "http://127.0.0.1:4000" }],
    ["release", {}, { release: undefined }],
    ["enabled", "perhaps", {}],
    ["enabled", 0, {}],
    ["ignoreErrors", "AbortError", { rules: { ignoreErrors: [] } }],
    ["ignoreErrors", ["AbortError", 7, ""], { rules: { ignoreErrors: ["AbortError"] } }],
    ["sampleRate", 1.5, { rules: { sampleRate: 1 } }],
    ["sampleRate", "0.5", { rules: { sampleRate: 1 } }],
    ["sampleRate", Number.NaN, { rules: { sampleRate: 1 } }],
    ["beforeBreadcrumb", "scrub", { rules: { beforeBreadcrumb: expect.any(Function) } }],
    ["redact", "iban", { redact: [] }],
    ["redact", ["iban", 7], { redact: ["iban"] }],
    ["errorFields", "orderId", { errorFields: [] }],
    ["errorFields", ["orderId", 7], { errorFields: ["orderId"] }],
    ["source", "everything", { source: "functions" }],
    ["logs", "console", { logs: ["console", "pino"] }],
    ["logs", ["console", "winston"], { logs: ["console"] }],
    ["hangWatch", "on", { hangWatch: false }],
    ["localVariables", "on", { localVariables: false }],
    ["databases", "off", { databases: true }],
    ["beforeSend", "scrub", { rules: { beforeSend: expect.any(Function) } }],
  ])("warn once about an invalid %s (%j) and use its default", (name, value, expected) => {
    const { options, warnings } = resolve({ apiKey: "k", [name]: value });
    expect(options).toMatchObject(expected);
    expect(warnings).toHaveLength(1);
  });

  it.each(["false", "0", "no", "off", "", "FALSE", " off "])("turn the client off for the text %j", (enabled) => {
    expect(resolve({ apiKey: "k", enabled })).toEqual({ options: undefined, warnings: [] });
  });

  it.each(["true", "1", "yes", "on", "TRUE"])("leave the client on for the text %j", (enabled) => {
    expect(resolve({ apiKey: "k", enabled })).toMatchObject({ options: { apiKey: "k" }, warnings: [] });
  });

  it.each(["production", "prod", "Production"])("warn that only PROD is investigated when env is %j", (env) => {
    const { options, warnings } = resolve({ apiKey: "k", env });
    expect(options).toMatchObject({ env });
    expect(warnings).toEqual([`env is "${env}", but only failures in "PROD" are investigated: set env to "PROD"`]);
  });

  it.each([
    "http://whence.example.com",
    "http://10.0.0.7:4000",
    "http://127.0.0.1.example.com",
    "http://localhost.org",
  ])("warn that the key is sent unencrypted to %s", (endpoint) => {
    const { options, warnings } = resolve({ apiKey: "k", endpoint });
    expect(options).toMatchObject({ endpoint });
    expect(warnings).toEqual([`endpoint is ${endpoint}: the API key and all events are sent unencrypted, use https`]);
  });

  it.each(["https://whence.example.com", "http://localhost:4000", "http://127.8.9.1", "http://[::1]:4000"])(
    "accept %s without a warning",
    (endpoint) => {
      expect(resolve({ apiKey: "k", endpoint })).toMatchObject({ options: { endpoint }, warnings: [] });
    },
  );

  it("accept a service of 200 characters", () => {
    const service = "x".repeat(200);
    expect(resolve({ apiKey: "k", service })).toMatchObject({ options: { service }, warnings: [] });
  });

  it("can turn all loggers off", () => {
    expect(resolve({ apiKey: "k", logs: false })).toMatchObject({ options: { logs: [] }, warnings: [] });
  });

  it("never print a key that they reject", () => {
    expect(resolve({ apiKey: "not a key" }).warnings.join()).not.toContain("not a key");
  });
});

describe("the environment", () => {
  const code = ["beforeSend", "beforeBreadcrumb"];
  const set: Record<string, string> = {
    apiKey: "whk_1",
    service: "orders",
    env: "STAGING",
    enabled: "on",
    endpoint: "https://whence.example.com",
    release: "7.1",
    redact: "iban, phone",
    errorFields: "orderId",
    ignoreErrors: "AbortError,ECONNRESET",
    sampleRate: "0.25",
    source: "none",
    logs: "console",
    databases: "off",
    spool: "off",
    hangWatch: "yes",
    watchServers: "no",
    watch: "yes",
    localVariables: "on",
  };

  it("has a variable for each option that isn't code, and the documentation lists each", async () => {
    const source = await readFile(new URL("../src/options.ts", import.meta.url), "utf8");
    const [declared = ""] = /export interface InitOptions \{[\s\S]*?\n\}/.exec(source) ?? [];
    const options = [...declared.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name ?? "");
    expect(Object.keys(optionVariables).sort()).toEqual(options.filter((name) => !code.includes(name)).sort());
    const page = await readFile(new URL("../../../docs/sdk/register.md", import.meta.url), "utf8");
    const listed = [...page.matchAll(/^\| `(WHENCE_\w+)`/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(Object.values(optionVariables).sort());
  });

  it("gives each option", () => {
    expect(Object.keys(set).sort()).toEqual(Object.keys(optionVariables).sort());
    for (const [option, variable] of Object.entries(optionVariables)) vi.stubEnv(variable, set[option]);
    const warnings: string[] = [];
    const options = resolveOptions(optionsFromEnvironment(), (message) => warnings.push(message));
    expect(options).toEqual({
      apiKey: "whk_1",
      service: "orders",
      env: "STAGING",
      endpoint: "https://whence.example.com",
      release: "7.1",
      redact: ["iban", "phone"],
      errorFields: ["orderId"],
      source: "none",
      logs: ["console"],
      databases: false,
      spool: { off: "spool is false" },
      hangWatch: true,
      localVariables: true,
      watchServers: false,
      watch: true,
      rules: { ...noHooks, ignoreErrors: ["AbortError", "ECONNRESET"], sampleRate: 0.25 },
    });
    expect(warnings).toEqual([]);
  });

  it("turns the client off, and all loggers", () => {
    for (const variable of Object.values(optionVariables)) vi.stubEnv(variable, "");
    vi.stubEnv("WHENCE_API_KEY", "whk_1");
    vi.stubEnv("WHENCE_LOGS", "off");
    expect(resolve({ ...optionsFromEnvironment() })).toMatchObject({ options: { logs: [] }, warnings: [] });
    vi.stubEnv("WHENCE_ENABLED", "no");
    expect(resolve({ ...optionsFromEnvironment() })).toEqual({ options: undefined, warnings: [] });
  });

  it("warns about an invalid value, as for an option", () => {
    for (const variable of Object.values(optionVariables)) vi.stubEnv(variable, "");
    vi.stubEnv("WHENCE_API_KEY", "whk_1");
    vi.stubEnv("WHENCE_SAMPLE_RATE", "most");
    vi.stubEnv("WHENCE_HANG_WATCH", "perhaps");
    vi.stubEnv("WHENCE_LOGS", "console,winston");
    expect(resolve({ ...optionsFromEnvironment() }).warnings).toHaveLength(3);
  });
});
