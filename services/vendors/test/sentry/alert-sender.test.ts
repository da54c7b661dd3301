import { parseText } from "@whence/engine";
import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { sentry } from "../../src/sentry/alert-sender.ts";
import { alertsIn, hexHmac, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";
import * as samples from "./samples.ts";

const header = "sentry-hook-signature";
const secret = "a client secret";
const body = JSON.stringify(samples.errorHook);
const signature = hexHmac("sha256", secret, body);
const verify = (webhook: ReturnType<typeof received>, inputs: Record<string, string> = { secret }) =>
  sentry.verify(webhook, inputs, offline);

describe("a Sentry webhook", () => {
  const signed = received(body, { [header]: signature, "sentry-hook-resource": "error", "request-id": "1" });

  it("is accepted with its signature", () => {
    expect(verify(signed)).toBe(true);
  });

  it("is rejected after a change of the body or the signature", () => {
    expect([verify(tampered(signed)), verify(withForged(signed, header))]).toEqual([false, false]);
  });

  it("is rejected without a signature, with two, with another's, and without a secret", () => {
    for (const value of [undefined, "", [signature, signature], `${signature}, ${signature}`, signature.slice(1)])
      expect(verify(received(body, { [header]: value }))).toBe(false);
    expect([verify(signed, { secret: "another" }), verify(signed, {})]).toEqual([false, false]);
  });

  it("has the same delivery ID when Sentry sends it again, under another request ID", () => {
    const again = received(body, { ...signed.headers, "request-id": "2" });
    expect(sentry.deliveryId(again)).toBe(sentry.deliveryId(signed));
    expect(sentry.deliveryId(tampered(signed))).not.toBe(sentry.deliveryId(signed));
  });

  it("announces an issue alert with its event", () => {
    expect(alertsIn(sentry, samples.eventAlert(samples.pythonEvent))).toMatchObject([
      {
        key: "issue 1117540176",
        state: "firing",
        title: "CheckoutError: no rate for DE",
        ...{ service: "checkout", env: "production", severity: "high" },
        at: "2026-03-01T11:58:03.157Z",
        url: "https://sentry.io/organizations/acme/issues/1117540176/events/e4874d664c3540c1a32eab185f12c5ab/",
      },
    ]);
  });

  it("announces an error like an alert for it", () => {
    expect(alertsIn(sentry, samples.errorHook)).toEqual(alertsIn(sentry, samples.eventAlert(samples.pythonEvent)));
  });

  it.each([
    ["created", "firing", "2026-03-01T11:58:03.157Z"],
    ["unresolved", "firing", "2026-03-01T11:59:03.157Z"],
    ["resolved", "resolved", "2026-03-01T11:58:03.157Z"],
  ])("announces an issue that was %s as %s", (action, state, at) => {
    expect(alertsIn(sentry, samples.issueHook(action))).toMatchObject([
      { key: "issue 1117540176", state, at, service: "checkout", severity: "critical" },
    ]);
  });

  it.each([
    ["critical", "firing", "critical"],
    ["warning", "firing", "medium"],
    ["resolved", "resolved", null],
  ])("announces a metric alert that is %s as %s", (action, state, severity) => {
    expect(alertsIn(sentry, samples.metricHook(action))).toMatchObject([
      {
        ...{ key: "metric 4", state, severity, title: "Critical: Too many errors" },
        ...{ service: "checkout", env: "production", at: "2026-03-01T11:50:00.000Z" },
        url: "https://sentry.io/organizations/acme/alerts/1/",
      },
    ]);
  });

  it("announces its installation and its removal, with who did it", () => {
    const hook = { ...samples.installationHook, actor: { type: "user", id: 1, name: "Grace" } };
    expect(read(sentry, { ...hook, action: "created" })).toEqual([{ kind: "installed", by: "Grace" }]);
    expect(read(sentry, { ...hook, action: "deleted" })).toEqual([{ kind: "removed", by: "Grace" }]);
    expect(read(sentry, { ...hook, action: "other" })).toEqual([]);
  });

  it.each([
    ["an issue that was assigned", samples.issueHook("assigned")],
    ["an issue that was archived", samples.issueHook("archived")],
    ["a user's feedback", samples.issueHook("created", "feedback")],
    ["a comment", { action: "created", data: { comment_id: "1234", issue_id: "100", comment: "adding a comment" } }],
  ])("announces nothing for %s", (_, hook) => {
    expect(read(sentry, hook)).toEqual([]);
  });

  it.each([
    {},
    [[]],
    null,
    { action: "triggered", data: { event: {} } },
    { action: "critical", data: { metric_alert: 1 } },
  ])("isn't read as: %j", (other) => {
    expect(() => read(sentry, other)).toThrow(ZodError);
  });
});

describe("the text of an event", () => {
  const textOf = (event: object) => alertsIn(sentry, samples.eventAlert(event))[0]?.text ?? "";
  const framesOf = (event: object) => {
    const { exceptions, chain } = parseText(textOf(event));
    return chain.flatMap((index) => {
      const { type, message, frames } = exceptions[index] ?? { type: "", message: "", frames: [] };
      return [`${type}: ${message}`, ...frames.map(({ function: name, file, line }) => `${name} ${file}:${line}`)];
    });
  };

  it("is a traceback for Python, with the failing call last", () => {
    expect(textOf(samples.pythonEvent).split("\n")).toEqual([
      "Traceback (most recent call last):",
      '  File "/srv/checkout/rates.py", line 12, in rate_of',
      "    return RATES[country]",
      "KeyError: 'DE'",
      ...["", "The above exception was the direct cause of the following exception:", ""],
      "Traceback (most recent call last):",
      '  File "/srv/checkout/views.py", line 31, in total',
      "    return with_tax(cart)",
      '  File "/srv/checkout/tax.py", line 8, in with_tax',
      "    raise CheckoutError(message) from error",
      "CheckoutError: no rate for DE",
      ...["", "- level = error", "- environment = production", "- release = checkout@2.1.0"],
      ...["- culprit = checkout.views in total", "- server_name = web-1", "timestamp: 2026-03-01T11:58:03.157Z"],
    ]);
  });

  it("is what the engine reads for Python", () => {
    expect(framesOf(samples.pythonEvent)).toEqual([
      ...["CheckoutError: no rate for DE", "with_tax /srv/checkout/tax.py:8", "total /srv/checkout/views.py:31"],
      ...["KeyError: 'DE'", "rate_of /srv/checkout/rates.py:12"],
    ]);
  });

  it("is what the engine reads for Node.js, with the failing call first", () => {
    expect(framesOf(samples.nodeEvent)).toEqual([
      "TypeError: Cannot read properties of undefined (reading 'rate')",
      ...["withTax /srv/checkout/tax.js:8", "handle /srv/checkout/server.js:40"],
    ]);
  });

  it("is what the engine reads for an error with a cause in Node.js", () => {
    expect(framesOf({ ...samples.pythonEvent, platform: "node" })).toEqual([
      ...["CheckoutError: no rate for DE", "with_tax /srv/checkout/tax.py:8", "total /srv/checkout/views.py:31"],
      ...["KeyError: 'DE'", "rate_of /srv/checkout/rates.py:12"],
    ]);
  });

  it("is what the engine reads for an error with a cause in Java", () => {
    const thrown = (type: string, method: string, lineno: number) => ({
      ...{ type, value: "no rate", module: "com.acme.tax" },
      stacktrace: { frames: [{ module: "com.acme.tax.Rates", function: method, filename: "Rates.java", lineno }] },
    });
    const values = [thrown("RateMissingException", "rateOf", 12), thrown("CheckoutException", "withTax", 8)];
    const event = { ...samples.pythonEvent, platform: "java", exception: { values } };
    expect(framesOf(event)).toEqual([
      ...["com.acme.tax.CheckoutException: no rate", expect.stringMatching(/withTax .*Rates\.java:8$/)],
      ...["com.acme.tax.RateMissingException: no rate", expect.stringMatching(/rateOf .*Rates\.java:12$/)],
    ]);
  });

  it("says what the event has when it has no exception", () => {
    const text = textOf({ ...samples.pythonEvent, exception: null, message: "The queue is full" });
    expect(text.split("\n").slice(0, 3)).toEqual(["[Sentry] CheckoutError: no rate for DE", "", "The queue is full"]);
  });

  it("has no variables, users, or requests", () => {
    expect(textOf(samples.pythonEvent)).not.toMatch(/secret|203\.0\.113\.7/);
  });

  it("has the innermost 100 calls of the outermost 20 errors", () => {
    const frames = Array.from({ length: 150 }, (_, index) => ({
      function: `call${index}`,
      filename: "a.js",
      lineno: 1,
    }));
    const values = Array.from({ length: 30 }, (_, index) => ({
      type: "Error",
      value: `error ${index}`,
      stacktrace: { frames },
    }));
    const text = textOf({ ...samples.nodeEvent, exception: { values } });
    expect(text.match(/error \d+/g)).toHaveLength(20);
    expect(text.match(/call\d+ /g)?.slice(0, 2)).toEqual(["call149 ", "call148 "]);
    expect(text).not.toContain("call49 ");
  });
});
