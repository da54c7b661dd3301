import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { credentialHeaders, isRedactedName, redactedNames, redactedValue, redactFields } from "../src/redaction.ts";

describe("the redacted names", () => {
  it("are the thirteen of the specification", () => {
    expect([...redactedNames].sort()).toEqual(
      [
        ...["password", "passwd", "secret", "api_key", "apikey", "token", "auth", "authorization", "cookie", "csrf"],
        ...["session", "credit_card", "ssn"],
      ].sort(),
    );
  });

  it.each(redactedNames)("match in any case: %s", (name) => {
    expect([name, name.toUpperCase(), name.replace(/^./, (first) => first.toUpperCase())].every(isRedactedName)).toBe(
      true,
    );
  });

  it.each([
    "x-api-key",
    "set-cookie",
    "tokens",
    "access_token",
    " token",
    "token ",
    "api-key",
    "",
    "proxy-authorization",
  ])("don't match a name that merely contains one: %j", (name) => {
    expect(isRedactedName(name)).toBe(false);
  });

  it("don't match any other name", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(isRedactedName(name)).toBe(redactedNames.includes(name.toLowerCase()));
      }),
    );
  });
});

describe("redactFields", () => {
  it("replaces the values of redacted names without changing its input", () => {
    const fields = { Cookie: "a=1", accept: "*/*", token: ["x", "y"], ssn: undefined };
    expect(redactFields(fields)).toEqual({
      Cookie: redactedValue,
      accept: "*/*",
      token: redactedValue,
      ssn: redactedValue,
    });
    expect(fields).toEqual({ Cookie: "a=1", accept: "*/*", token: ["x", "y"], ssn: undefined });
  });

  it("keeps every name, including those that every object inherits", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...redactedNames)), fc.string()), (fields) => {
        const redacted = redactFields(fields);
        expect(Object.keys(redacted)).toEqual(Object.keys(fields));
        expect(redactFields(redacted)).toEqual(redacted);
      }),
    );
    const hostile: Record<string, string> = JSON.parse('{"__proto__": "p", "constructor": "c", "token": "t"}');
    expect(JSON.stringify(redactFields(hostile))).toBe('{"__proto__":"p","constructor":"c","token":"[redacted]"}');
  });
});

describe("the credential headers", () => {
  it("are lower-case, unique, and not among the thirteen", () => {
    expect(credentialHeaders.filter((name) => name !== name.toLowerCase() || isRedactedName(name))).toEqual([]);
    expect(new Set(credentialHeaders).size).toBe(credentialHeaders.length);
    expect(credentialHeaders).toEqual(
      expect.arrayContaining(["x-api-key", "set-cookie", "proxy-authorization", "x-auth-token", "x-csrf-token"]),
    );
  });
});
