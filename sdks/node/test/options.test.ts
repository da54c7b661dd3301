import { describe, expect, it, vi } from "vitest";
import { type InitOptions, resolveOptions } from "../src/options.ts";
import { releaseVariables } from "../src/process/release.ts";

/** What comes of options that a program without types may give. */
function resolve(given: Record<string, unknown>): { options: unknown; warnings: string[] } {
  const warnings: string[] = [];
  const options = resolveOptions(given as unknown as InitOptions, (message) => warnings.push(message));
  return { options, warnings };
}

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
        beforeSend: undefined,
        logs: ["console", "pino"],
        spool: undefined,
        hangWatch: false,
      },
      warnings: [],
    });
  });

  // requirement: telemetry.option-api-key
  it.each([undefined, "", 7, "two words", "line\nbreak"])(
    "without a usable key (%j) leave the client off and say so once",
    (apiKey) => {
      const { options, warnings } = resolve({ apiKey });
      expect(options).toBeUndefined();
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/^apiKey must be/);
    },
  );

  // requirement: telemetry.option-enabled-false
  it("say nothing when the client is off by wish, whatever else they are", () => {
    expect(resolve({ enabled: false, endpoint: 5 })).toEqual({ options: undefined, warnings: [] });
  });

  it.each([
    ["service", "", { service: "default" }],
    ["service", "x".repeat(201), { service: "default" }],
    ["env", 3, { env: "PROD" }],
    ["endpoint", "ftp://host", { endpoint: "http://127.0.0.1:4000" }],
    ["endpoint", "nowhere", { endpoint: "http://127.0.0.1:4000" }],
    ["release", {}, { release: undefined }],
    ["enabled", "yes", {}],
    ["redact", "iban", { redact: [] }],
    ["redact", ["iban", 7], { redact: ["iban"] }],
    ["logs", "console", { logs: ["console", "pino"] }],
    ["logs", ["console", "winston"], { logs: ["console"] }],
    ["hangWatch", "on", { hangWatch: false }],
    ["beforeSend", "scrub", { beforeSend: expect.any(Function) }],
  ])("warn once of a bad %s (%j) and use its default", (name, value, expected) => {
    const { options, warnings } = resolve({ apiKey: "k", [name]: value });
    expect(options).toMatchObject(expected);
    expect(warnings).toHaveLength(1);
  });

  it("take a service of 200 characters", () => {
    const service = "x".repeat(200);
    expect(resolve({ apiKey: "k", service })).toMatchObject({ options: { service }, warnings: [] });
  });

  it("listen to no logger by wish", () => {
    expect(resolve({ apiKey: "k", logs: false })).toMatchObject({ options: { logs: [] }, warnings: [] });
  });

  it("never show a key that they refuse", () => {
    expect(resolve({ apiKey: "not a key" }).warnings.join()).not.toContain("not a key");
  });
});
