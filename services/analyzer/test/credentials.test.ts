import { crc32 } from "node:zlib";
import { isSameToken } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import { hashSecret, mintSecret, setupToken, visiblePrefix } from "../src/credentials.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** What a secret scanner does: reads the last six digits and compares them with the CRC-32 of the rest. */
function hasChecksum(secret: string): boolean {
  const digits = secret.slice(4, -6);
  const written = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0);
  return written === crc32(digits);
}

describe("a secret", () => {
  it("is its prefix and 49 base62 digits, and never the same twice", () => {
    const secrets = Array.from({ length: 200 }, () => mintSecret("wha"));
    for (const secret of secrets) expect(secret).toMatch(/^wha_[0-9A-Za-z]{49}$/);
    expect(new Set(secrets).size).toBe(secrets.length);
  });

  it("has a checksum that any changed digit breaks", () => {
    const secret = mintSecret("whk");
    expect(hasChecksum(secret)).toBe(true);
    for (let index = 4; index < secret.length; index++) {
      const digit = secret[index] === "a" ? "b" : "a";
      expect(hasChecksum(secret.slice(0, index) + digit + secret.slice(index + 1))).toBe(false);
    }
  });

  it("is recognized by eight characters, and stored as a hash that contains none of them", () => {
    const secret = mintSecret("whk");
    expect(visiblePrefix(secret)).toBe(secret.slice(0, 8));
    expect(hashSecret(secret)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the token of the setup link", () => {
  it("is the same for the same key and organization only", () => {
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    expect(isSameToken(setupToken(key, "org_a"), setupToken(key, "org_a"))).toBe(true);
    expect(isSameToken(setupToken(key, "org_a"), setupToken(key, "org_b"))).toBe(false);
    expect(isSameToken(setupToken(key, "org_a"), setupToken(other, "org_a"))).toBe(false);
    expect(isSameToken(setupToken(key, "org_a"), "")).toBe(false);
  });
});
