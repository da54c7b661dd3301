import { redactedNames, redactedValue, type TelemetryEvent } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactEvent } from "../../src/telemetry/redact.ts";
import { exceptionEvent, logEvent } from "../batches.ts";

const requestWith = (headers: Record<string, string | string[]>): TelemetryEvent =>
  logEvent({ request: { method: "GET", path: "/pay?token=1", headers } });

function mixCase(name: string): string {
  return [...name].map((letter, index) => (index % 2 === 0 ? letter.toUpperCase() : letter)).join("");
}

describe("a header", () => {
  // requirement: telemetry.redaction-exact-names
  // requirement: telemetry.redaction-case-insensitive
  it.each(redactedNames)("called %s loses its value, in any case", (name) => {
    const headers = { [name]: "a", [name.toUpperCase()]: "b", [mixCase(name)]: ["c", "d"] };
    const values = Object.values(redactEvent(requestWith(headers)).request?.headers ?? {});
    expect(values.length).toBeGreaterThanOrEqual(2);
    expect(new Set(values)).toEqual(new Set([redactedValue]));
  });

  // requirement: telemetry.redaction-not-substring
  it.each(redactedNames.flatMap((name) => [`x-${name}`, `${name}s`, ` ${name}`, `${name}-id`]))(
    "called %j keeps its value",
    (name) => {
      const event = requestWith({ [name]: "kept" });
      if (redactedNames.includes(name)) return;
      expect(redactEvent(event)).toEqual(event);
    },
  );

  it("is redacted wherever a client put headers", () => {
    const headers = { Authorization: "Bearer x", accept: "*/*" };
    const redacted = { Authorization: redactedValue, accept: "*/*" };
    const put = (value: Record<string, string>) => ({
      attributes: { upstream: { response_headers: value }, list: [{ Headers: value }] },
      user: { headers: value },
      contexts: { upstream: { headers: value }, headers: value },
      breadcrumbs: [{ timestamp: "2026-01-01T00:00:00Z", category: "http", data: { requestHeaders: value } }],
    });
    const { redactions, ...event } = redactEvent(logEvent({ id: "a", timestamp: "t", ...put(headers) }));
    expect(event).toEqual(logEvent({ id: "a", timestamp: "t", ...put(redacted) }));
    expect(redactions?.map(({ path }) => path)).toEqual([
      "/breadcrumbs/0/data/requestHeaders/Authorization",
      "/attributes/upstream/response_headers/Authorization",
      "/attributes/list/0/Headers/Authorization",
      "/user/headers/Authorization",
      "/contexts/upstream/headers/Authorization",
      "/contexts/headers/Authorization",
    ]);
  });
});

describe("a local variable", () => {
  it("called by a redacted name loses its value at any depth", () => {
    const vars = {
      password: "p",
      user: { name: "n", SSN: 1, cards: [{ credit_card: "4111", brand: "v" }] },
      passwords: "kept",
    };
    const event = exceptionEvent("f", {
      exceptions: [{ type: "E", message: "", stack: "", frames: [{ function: "f" }, { vars }] }],
    });
    expect(redactEvent(event).exceptions?.[0]?.frames).toEqual([
      { function: "f" },
      {
        vars: {
          password: redactedValue,
          user: { name: "n", SSN: redactedValue, cards: [{ credit_card: redactedValue, brand: "v" }] },
          passwords: "kept",
        },
      },
    ]);
  });
});

describe("an error's own property", () => {
  it("called by a redacted name loses its value", () => {
    const properties = { code: "EAUTH", token: "t", config: { auth: { user: "u" }, url: "/?token=1" } };
    const event = exceptionEvent("f", { exceptions: [{ type: "E", message: "", stack: "", properties }] });
    expect(redactEvent(event).exceptions?.[0]?.properties).toEqual({
      code: "EAUTH",
      token: redactedValue,
      config: { auth: redactedValue, url: "/?token=1" },
    });
  });
});

describe("a value replaced by the gateway", () => {
  it("is listed with its place, after the client's redactions", () => {
    const ofTheClient = { rule: "added-name", path: "/request/headers/x-api-key" };
    const headers = { "x-api-key": redactedValue, cookie: "c", Authorization: redactedValue };
    const event = { ...requestWith(headers), redactions: [ofTheClient] };
    expect(redactEvent(event).redactions).toEqual([
      ofTheClient,
      { rule: "default-name-at-gateway", path: "/request/headers/cookie" },
    ]);
  });

  it("is listed by a JSON Pointer, whatever its name contains", () => {
    const properties = { "a/b~c": { Token: 1 } };
    const event = exceptionEvent("f", { exceptions: [{ type: "E", message: "", stack: "", properties }] });
    expect(redactEvent(event).redactions?.[0]?.path).toBe("/exceptions/0/properties/a~1b~0c/Token");
  });

  it.each([
    [99, 99],
    [100, 100],
    [101, 100],
  ])("is one of at most 100 listed: of %i, %i are", (replaced, kept) => {
    const list = Array.from({ length: replaced }, () => ({ token: "t" }));
    const event = exceptionEvent("f", { exceptions: [{ type: "E", message: "", stack: "", properties: { list } }] });
    expect(redactEvent(event).redactions).toHaveLength(kept);
  });
});

describe("everything else", () => {
  // requirement: telemetry.free-text-unredacted
  it("stays unchanged: messages, stacks, URLs, query strings, SQL, attributes", () => {
    const secret = "password=hunter2 authorization: Bearer x";
    const event = exceptionEvent("f", {
      message: secret,
      exceptions: [{ type: "E", message: secret, stack: `E: ${secret}\n    at f (/a.js:1:1)`, frames: [] }],
      breadcrumbs: [
        { timestamp: "2026-01-01T00:00:00Z", category: "http", message: secret, data: { url: "http://a/?token=1" } },
        { timestamp: "2026-01-01T00:00:01Z", category: "query", data: { sql: "SELECT * FROM t WHERE password = 'x'" } },
      ],
      request: { method: "GET", path: "/?secret=1", headers: { referer: "/?token=2" } },
      attributes: { token: "an attribute is no header", session: { id: 1 } },
    });
    expect(redactEvent(event)).toEqual(event);
  });

  it("isn't modified in place: redacting copies", () => {
    const event = requestWith({ cookie: "c" });
    const before = structuredClone(event);
    redactEvent(event);
    expect(event).toEqual(before);
  });

  it("doesn't change when it is redacted again, whatever the headers are", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...redactedNames)), fc.string()), (headers) => {
        const once = redactEvent(requestWith(headers));
        expect(redactEvent(once)).toEqual(once);
        const kept = Object.keys(headers).filter((name) => name !== "__proto__");
        expect(Object.keys(once.request?.headers ?? {})).toEqual(kept);
      }),
      { examples: [[Object.fromEntries([["__proto__", "a prototype's name"]])]] },
    );
  });
});

describe("a value that was seen at a watched place", () => {
  const hitWith = (values: Record<string, string>): TelemetryEvent => {
    const at = { file: "plan.js", line: 3, function: "planOf", starts: 2 };
    const hit = { ...at, kind: "reached" as const, nth: 1, values, thread: "1-0", at_ms: 5, callers: [] };
    return exceptionEvent("planOf", { watched: { order: "wat_1", at_ms: 5, places: [], hits: [hit] } });
  };

  it("is replaced by its name, and the replacement is recorded", () => {
    const redacted = redactEvent(hitWith({ Password: '"hunter2"', plan: "undefined" }));
    expect(redacted.watched?.hits[0]?.values).toEqual({ Password: redactedValue, plan: "undefined" });
    expect(redacted.redactions).toEqual([{ rule: "default-name-at-gateway", path: "/watched/hits/0/values/Password" }]);
  });

  it("stays without a redacted name", () => {
    const event = hitWith({ passwords: '"kept"' });
    expect(redactEvent(event)).toEqual(event);
  });
});
