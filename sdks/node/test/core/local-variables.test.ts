import { credentialNamed } from "@whence/protocol";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { boundedData, boundedRecord } from "../../src/core/bounded-data.ts";
import { copyVariables } from "../../src/core/local-variables.ts";
import { redactionOf } from "../../src/core/redact.ts";

const redaction = redactionOf();

function copied(scope: object): unknown {
  const call = { function: "charge", file: "charge.js", line: 1, column: 1, isThrower: true };
  return copyVariables([{ call, scopes: [scope] }], redaction)[0]?.variables;
}

describe("local variables", () => {
  it("tell what JSON has no form for from a text", () => {
    const at = new Date("2026-11-30T13:00:00Z");
    expect(copied({ at, never: new Date(Number.NaN), big: 5n, rate: Number.NaN, text: "5n", list: [at] })).toEqual({
      at: "[date 2026-11-30T13:00:00.000Z]",
      never: "[date invalid]",
      big: "[bigint 5]",
      rate: "[number NaN]",
      text: "5n",
      list: ["[date 2026-11-30T13:00:00.000Z]"],
    });
  });

  it("don't print an integer of millions of digits", () => {
    const big = 1n << 4_000_000n;
    expect(copied({ big, left: -big, code: 10n ** 1_000n })).toMatchObject({
      big: "[bigint]",
      left: "[bigint]",
      code: expect.stringMatching(/^\[bigint 1000.*characters\]$/),
    });
    expect(boundedData({ big }, 1_000).data).toEqual({ big: "[bigint]" });
  });

  it("have no value that is named like a credential in a watched run", () => {
    const ends = ["password", "Secret", "TOKEN", "api_key", "privateKey", "passphrase", "tokens", "author"];
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(...ends), (start, end) => {
        const name = `${start}${end}`;
        fc.pre(name !== "__proto__");
        const isShown = !credentialNamed.test(name);
        expect(redaction.variables.ruleOf(name) === undefined).toBe(isShown);
      }),
    );
  });

  it("say that a credential is missing", () => {
    const config = { clientSecret: null, token_secret: "", hasPassword: false };
    expect(copied({ config: { ...config, accessToken: undefined } })).toEqual({
      config: { ...config, accessToken: "[undefined]" },
    });
  });

  it("have no headers of a request", () => {
    const request = { rawHeaders: ["Cookie", "a=1"], method: "GET" };
    expect(copied({ request })).toEqual({ request: { rawHeaders: "[redacted]", method: "GET" } });
  });
});

describe("values of the environment", () => {
  const replaced = "[redacted environment variable]";
  const variables = { DSN: "postgres://ada:pw@db/shop", REQUEST_METHOD: "POST" };
  beforeEach(() => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("are replaced in local variables and in copies of the environment", () => {
    const { DSN } = variables;
    expect(copied({ DSN, env: { ...variables, PORT: "80" }, other: { DSN: "sqlite:" }, url: DSN })).toEqual({
      DSN: replaced,
      env: { DSN: replaced, REQUEST_METHOD: "POST", PORT: "80" },
      other: { DSN: "sqlite:" },
      url: DSN,
    });
  });

  it("are replaced inside of data, and kept where the program hands one over", () => {
    const given = { DSN: variables.DSN, options: { env: variables } };
    expect(boundedRecord(given, 1_000)?.data).toEqual({
      DSN: variables.DSN,
      options: { env: { ...variables, DSN: replaced } },
    });
    expect(boundedData(variables, 1_000).data).toEqual({ ...variables, DSN: replaced });
  });
});
