import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { datadog } from "../../src/datadog/alert-sender.ts";
import { alertsIn, offline, read, received } from "../alert-senders/received.ts";

/** Values for the variables of https://docs.datadoghq.com/integrations/webhooks/ */
const variables: Readonly<Record<string, string>> = {
  ID: "1234567",
  ALERT_ID: "98765",
  ALERT_CYCLE_KEY: "1467012345678901",
  ALERT_TRANSITION: "Triggered",
  EVENT_TITLE: "[P2] [Triggered on {service:checkout}] Too many errors",
  TEXT_ONLY_MSG: "TypeError: Cannot read properties of undefined (reading 'rate')",
  ALERT_PRIORITY: "P2",
  ALERT_TYPE: "error",
  ALERT_QUERY: "sum(last_5m):sum:errors{*} by {service} > 5",
  ALERT_SCOPE: "service:checkout,region:eu",
  HOSTNAME: "web-1",
  TAGS: "monitor, env:production, team:shop",
  LINK: "https://app.datadoghq.com/event/event?id=1234567",
  DATE: "1772366283000",
};

const page = readFileSync(new URL("../../../../docs/triggers/datadog.md", import.meta.url), "utf8");
const template = /```json\n(\s*\{\s*"id"[\s\S]*?)```/.exec(page)?.[1] ?? "";
/** The documented payload, filled in as Datadog does. */
const sent = (changes: Readonly<Record<string, string>> = {}): object =>
  JSON.parse(
    template.replaceAll(/\$([A-Z_]+)/g, (variable, name: string) =>
      JSON.stringify({ ...variables, ...changes }[name] ?? variable).slice(1, -1),
    ),
  );

describe("a webhook of Datadog", () => {
  it("is accepted with the token, and rejected with another or none", () => {
    const verify = (authorization?: string) =>
      datadog.verify(received(sent(), { authorization }), { secret: "2f1c" }, offline);
    expect([verify("Bearer 2f1c"), verify("Bearer 2f1d"), verify("2f1c"), verify()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("announces a failure with the documented payload", () => {
    expect(alertsIn(datadog, sent())).toMatchObject([
      {
        key: "1467012345678901",
        state: "firing",
        title: "Too many errors",
        ...{ service: "checkout", env: "production", severity: "high" },
        at: "2026-03-01T11:58:03.000Z",
        url: "https://app.datadoghq.com/event/event?id=1234567",
      },
    ]);
  });

  it("contains what the monitor says", () => {
    expect(alertsIn(datadog, sent())[0]?.text.split("\n")).toEqual([
      "[Triggered] Too many errors",
      "TypeError: Cannot read properties of undefined (reading 'rate')",
      ...["- env = production", "- team = shop", "- service = checkout", "- region = eu", "- host = web-1"],
      "- query = sum(last_5m):sum:errors{*} by {service} > 5",
      "- scope = service:checkout,region:eu",
      "timestamp: 2026-03-01T11:58:03.000Z",
    ]);
  });

  it.each(["Triggered", "Re-Triggered", "No Data", "Re-No Data", "Warn", "Re-Warn", "Renotify"])(
    "announces a failure for the transition %s",
    (ALERT_TRANSITION) => {
      expect(alertsIn(datadog, sent({ ALERT_TRANSITION }))).toMatchObject([
        { state: "firing", key: "1467012345678901" },
      ]);
    },
  );

  it("resolves the same failure for the transition Recovered", () => {
    const recovered = sent({
      ALERT_TRANSITION: "Recovered",
      EVENT_TITLE: "[Recovered on {service:checkout}] Too many errors",
    });
    expect(alertsIn(datadog, recovered)).toMatchObject([
      { state: "resolved", key: "1467012345678901", title: "Too many errors" },
    ]);
  });

  it.each(["", "null", "$ALERT_TRANSITION", "Muted"])("announces nothing for the transition %j", (ALERT_TRANSITION) => {
    expect(read(datadog, sent({ ALERT_TRANSITION }))).toEqual([]);
  });

  it("leaves out what Datadog doesn't know", () => {
    const absent = sent({
      ALERT_CYCLE_KEY: "null",
      HOSTNAME: "",
      ALERT_PRIORITY: "$ALERT_PRIORITY",
      TAGS: "",
      LINK: "",
    });
    const [alert] = alertsIn(datadog, absent);
    expect(alert).toMatchObject({ key: "98765 1234567", severity: "high", env: null, url: null });
    expect(alert?.text).not.toContain("host");
  });

  it("has a title when the event has only a prefix", () => {
    expect(alertsIn(datadog, sent({ EVENT_TITLE: "[Triggered]" }))[0]?.title).toBe("Monitor 98765");
  });

  it.each([{}, [[]], null, { alert_title: "x", date: "yesterday" }, { ...sent(), date: "9e99" }])(
    "isn't read as: %j",
    (body) => {
      expect(() => read(datadog, body)).toThrow(ZodError);
    },
  );
});
