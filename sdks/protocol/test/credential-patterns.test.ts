import { describe, expect, it } from "vitest";
import { credentialIn, removedCredential, withoutCredentials } from "../src/credential-patterns.ts";

// Put together here, so that no scanner takes them for real ones.
const key = (...parts: readonly string[]): string => parts.join("");
const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7";

describe("a credential in a text", () => {
  it.each([
    ["an AWS access key", key("AKIA", "ABCDEFGHIJKLMNOP")],
    ["a GitHub token", key("gh", "p_", "a".repeat(36))],
    ["a GitLab token", key("gl", "pat-", "a".repeat(20))],
    ["a Slack token", key("xo", "xb-", "1".repeat(24))],
    ["a Stripe key", key("sk_", "live_", "a".repeat(24))],
    ["a Google API key", key("AI", "za", "a".repeat(35))],
    ["an npm token", key("np", "m_", "a".repeat(36))],
    ["an Anthropic key", key("sk-", "ant-", "a".repeat(40))],
    ["a Whence key", key("wh", "k_", "a".repeat(49))],
  ])("is seen and removed: %s", (kind, secret) => {
    expect(credentialIn(`before ${secret} after`)).toBe(kind);
    expect(withoutCredentials(`before ${secret}, ${secret} after`)).toBe(
      `before ${removedCredential}, ${removedCredential} after`,
    );
  });

  it("is removed whole when it is a private key", () => {
    const text = `${key("-----BEGIN ", "PRIVATE KEY-----")}\n${body}\n${key("-----END ", "PRIVATE KEY-----")}`;
    expect(credentialIn(text)).toBe("a private key");
    expect(withoutCredentials(text)).not.toContain("MIIE");
  });

  it.each(["const AKIA = 1;", "task-runner", "whk_short", "-----BEGIN PUBLIC KEY-----", "sk-learn"])(
    "isn't seen in %s",
    (text) => {
      expect(credentialIn(text)).toBeNull();
      expect(withoutCredentials(text)).toBe(text);
    },
  );
});
