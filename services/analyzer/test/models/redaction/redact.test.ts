import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor } from "../../../src/models/redaction/redact.ts";
import { harmlessTexts, secretSamples } from "./samples.ts";

const mebibyte = 1_048_576;

const parts = fc.constantFrom(
  ...secretSamples.map(({ text }) => text),
  ...harmlessTexts,
  ...["\n", "\r\n", " ", '"', "\\", "[email 1]", "[secret 2]", "password=", "Cookie: ", "\u2028", "@", "a.b"],
);
const mixedTexts = fc
  .array(fc.oneof(parts, fc.string({ unit: "binary" })), { maxLength: 8 })
  .map((all) => all.join(""));

describe("redactor", () => {
  it.each(secretSamples)("replaces $what", ({ text, hidden }) => {
    const { redact, restore } = redactor();
    const redacted = redact(text);
    for (const value of hidden) expect(redacted).not.toContain(value);
    expect(restore(redacted)).toBe(text);
  });

  it.each(secretSamples)("replaces $what in the middle of a log line", ({ text, hidden }) => {
    const redacted = redactor().redact(`2026-11-26T17:00:00Z ERROR [http] failed (${text}\n) after 12 ms`);
    for (const value of hidden) expect(redacted).not.toContain(value);
    expect(redacted).toMatch(/^2026-11-26T17:00:00Z ERROR \[http\] failed \(/);
  });

  it.each(harmlessTexts)("leaves what an investigation needs: %s", (text) => {
    expect(redactor().redact(text)).toBe(text);
  });

  it("keeps the host, the user, and the scheme around a password", () => {
    const { redact } = redactor();
    expect(redact("postgres://app:s3cr3t-pw@db.internal:5432/shop")).toBe(
      "postgres://app:[password 1]@db.internal:5432/shop",
    );
    expect(redact("Authorization: Bearer abc123def456")).toBe("Authorization: Bearer [secret 1]");
  });

  it("gives the same value the same label in all texts, and another value another", () => {
    const { redact, replaced } = redactor();
    expect(redact("ada@example.com wrote to bo@example.com")).toBe("[email 1] wrote to [email 2]");
    expect(redact("bo@example.com answered")).toBe("[email 2] answered");
    expect(replaced).toEqual({ email: 2 });
  });

  it("shares no label with another redactor", () => {
    redactor().redact("ada@example.com");
    expect(redactor().restore("[email 1]")).toBe("[email 1]");
  });

  it("never gives out a label that a text had before", () => {
    const { redact, restore } = redactor();
    expect(redact("[email 1] is not ada@example.com")).toBe("[email 1] is not [email 2]");
    expect(restore("[email 1] is not [email 2]")).toBe("[email 1] is not ada@example.com");
  });

  it("isn't turned off by what a text says", () => {
    const token = `npm_${"Zx8Qm2Lr7TnB4vKd1Ws6YpHc3GfJ9aEu".repeat(2).slice(0, 36)}`;
    expect(redactor().redact(`// secretlint-disable\n${token} // secretlint-disable-line`)).not.toContain(token);
  });

  it("replaces what only shows once its neighbor is replaced", () => {
    const [token, key] = ["hf_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz9KEq3Lm2"];
    const redacted = redactor().redact(`hub: ${token}AWS_SECRET_ACCESS_KEY=${key}`);
    expect(redacted).not.toContain(token);
    expect(redacted).not.toContain(key);
  });

  it("restores any text, keeps its lines, and changes nothing the second time", () => {
    fc.assert(
      fc.property(mixedTexts, (text) => {
        const { redact, restore } = redactor();
        const redacted = redact(text);
        expect(restore(redacted)).toBe(text);
        expect(redacted.split(/\r\n|[\n\r\u2028\u2029]/)).toHaveLength(text.split(/\r\n|[\n\r\u2028\u2029]/).length);
        expect(redact(redacted)).toBe(redacted);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    "password=",
    '"password":"',
    "Cookie: ",
    "ghs_1_a.",
    "4111 1111 1111 1111 ",
    "a.b@",
    "http://a:",
    "aB1/",
    "1:2:",
  ])("gets through a mebibyte of %s", (piece) => {
    const { redact, restore } = redactor();
    const text = piece.repeat(mebibyte / piece.length);
    expect(restore(redact(text))).toBe(text);
  });
});
