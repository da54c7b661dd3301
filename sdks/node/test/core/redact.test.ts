import { credentialHeaders, redactedNames, redactedValue } from "@whence/protocol/redaction";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedRecord } from "../../src/core/bounded-data.ts";
import { redactHeaders, redactionOf } from "../../src/core/redact.ts";

describe("the headers of an event", () => {
  // requirement: telemetry.redaction-exact-names
  it.each(redactedNames)("have no value for %s", (name) => {
    expect(redactHeaders({ [name]: "s3cret" })).toEqual({ [name]: redactedValue });
  });

  // requirement: telemetry.redaction-case-insensitive
  it("have none for a redacted name in any case", () => {
    fc.assert(
      fc.property(fc.mixedCase(fc.constantFrom(...redactedNames)), fc.string(), (name, value) => {
        expect(redactHeaders({ [name]: value })).toEqual({ [name]: redactedValue });
      }),
    );
  });

  // requirement: telemetry.redaction-not-substring
  it.each(["x-api-key", "set-cookie", "proxy-authorization", "cookies", "my-token", "authorization "])(
    "keep %s, which only contains a redacted name",
    (name) => {
      expect(redactHeaders({ [name]: "value" })).toEqual({ [name]: "value" });
    },
  );

  it("keep lists as lists, and leave out absent ones", () => {
    expect(redactHeaders({ "set-cookie": ["a", "b"], cookie: ["c"], host: undefined })).toEqual({
      "set-cookie": ["a", "b"],
      cookie: redactedValue,
    });
  });

  it("never show the value of a redacted name, and keep all others", () => {
    const names = fc.oneof(fc.string(), fc.mixedCase(fc.constantFrom(...redactedNames)));
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), (headers) => {
        const redacted = redactHeaders(headers);
        for (const [name, value] of Object.entries(headers)) {
          expect(redacted[name]).toBe(redactedNames.includes(name.toLowerCase()) ? redactedValue : value);
        }
      }),
    );
  });
});

describe("an added name", () => {
  const redaction = redactionOf([...credentialHeaders, "AccessToken"]);

  it.each(credentialHeaders)("of the preset redacts %s", (name) => {
    expect(redactHeaders({ [name]: "s3cret", [name.toUpperCase()]: "s3cret" }, redaction)).toEqual({
      [name]: redactedValue,
      [name.toUpperCase()]: redactedValue,
    });
  });

  it("matches in any case and only exactly, in addition to the thirteen", () => {
    expect(redactHeaders({ accesstoken: "a", "access-token": "b", cookie: "c" }, redaction)).toEqual({
      accesstoken: redactedValue,
      "access-token": "b",
      cookie: redactedValue,
    });
  });
});

describe("data from the program", () => {
  it("keeps what is redacted only in headers, loses added names at any depth, and isn't read where redacted", () => {
    const data = {
      token: "kept",
      deep: [{ iban: "DE1" }],
      requestHeaders: { Cookie: "c", accept: "*/*", nested: { token: "t" } },
      get IBAN(): string {
        throw new Error("a trap");
      },
    };
    expect(boundedRecord(data, 1_000, redactionOf(["iban"]).data)?.data).toEqual({
      token: "kept",
      deep: [{ iban: redactedValue }],
      requestHeaders: { Cookie: redactedValue, accept: "*/*", nested: { token: redactedValue } },
      IBAN: redactedValue,
    });
  });
});
