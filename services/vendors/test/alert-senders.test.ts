import { existsSync } from "node:fs";
import { join } from "node:path";
import gitHubEvents from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };
import { parseText } from "@whence/engine";
import fc from "fast-check";
import { Lexer } from "marked";
import { describe, expect, it } from "vitest";
import type { AlertSender } from "../src/alert-senders/alert-sender.ts";
import { alertSenders } from "../src/alert-senders.ts";
import { alertmanager } from "../src/alertmanager/alert-sender.ts";
import { grafana } from "../src/grafana/alert-sender.ts";
import { sentry } from "../src/sentry/alert-sender.ts";
import { offline, readsOrRefuses, received } from "./alert-senders/received.ts";
import { alertmanagerGroup, grafanaGroup } from "./alertmanager/samples.ts";
import { issueHook as gitLabIssueHook, noteHook } from "./gitlab/samples.ts";
import { createdSession, promptedSession } from "./linear/samples.ts";
import { errorHook, issueHook, metricHook } from "./sentry/samples.ts";

const sources = alertSenders.all;
const gitHubSamples = gitHubEvents
  .filter(({ name }) => name === "issues" || name === "issue_comment")
  .flatMap(({ examples: [first] }): object[] => (first ? [first] : []));
const samples: readonly object[] = [
  ...gitHubSamples,
  alertmanagerGroup,
  grafanaGroup,
  errorHook,
  issueHook("created"),
  metricHook("warning"),
  createdSession(),
  promptedSession(),
  gitLabIssueHook,
  noteHook,
];

/** A sample with one of its values, at any depth, replaced by any JSON. */
const distorted = fc.tuple(fc.constantFrom(...samples), fc.nat(), fc.jsonValue()).map(([sample, place, value]) => {
  let left = place % 60;
  return JSON.parse(JSON.stringify(sample), (_key, old) => (left-- === 0 ? value : old));
});

const address = "https://whence.example.com/api/webhooks/als_1";

describe("the sources of alerts", () => {
  it("are found by kind, and no two have the same", () => {
    expect(sources.map(({ kind }) => alertSenders.find(kind))).toEqual(sources);
    expect(alertSenders.find("constructor")).toBeNull();
  });
});

describe.each(sources)("the source $kind", (source) => {
  it("needs a secret or a topic, says in numbered steps how it is set up, and has a page of the documentation", () => {
    expect(source.inputs.filter(({ is_optional: isOptional }) => !isOptional)).not.toEqual([]);
    const steps = Lexer.lex(source.setup(address)).find(({ type }) => type === "list");
    expect(steps).toMatchObject({ ordered: true, start: 1 });
    expect(existsSync(join(import.meta.dirname, `../../../docs/triggers/${source.kind}.md`))).toBe(true);
  });

  it("accepts nothing that isn't signed, whatever its headers are", async () => {
    const names = ["authorization", "webhook-id", "webhook-signature", "x-pagerduty-signature", "x-vercel-signature"];
    const more = [
      "webhook-timestamp",
      "sentry-hook-signature",
      "x-grafana-alerting-signature",
      "linear-signature",
      "x-hub-signature-256",
    ];
    const value = fc.option(fc.oneof(fc.string(), fc.array(fc.string())), { nil: undefined });
    const headers = fc.dictionary(fc.constantFrom(...names, ...more, "x-gitlab-token"), value);
    await fc.assert(
      fc.asyncProperty(headers, fc.json(), async (sent, body) => {
        expect(await source.verify(received(body, sent), { secret: "s", topic_arn: "t" }, offline)).toBe(false);
      }),
    );
  });

  it("parses any JSON, or rejects it as not documented", () => {
    const webhook = received("", { "webhook-timestamp": "1772366400" });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), distorted), (body) => {
        expect(readsOrRefuses(source, body, webhook)).toBe(true);
      }),
    );
  });

  it("reads no header that it doesn't keep", () => {
    const asked = new Set<string | symbol>();
    const sent = { "webhook-timestamp": "1772366400" };
    const headers = new Proxy(sent, {
      get(target, name) {
        asked.add(name);
        return Reflect.get(target, name);
      },
    });
    const webhook = { body: Buffer.from(""), headers };
    fc.assert(
      fc.property(fc.constantFrom(...samples, { text: "E" }), (body) => {
        expect(readsOrRefuses(source, body, webhook)).toBe(true);
        expect([...asked].filter((name) => !source.keptHeaders?.includes(String(name)))).toEqual([]);
      }),
    );
  });

  it("gives each delivery an ID of visible characters, and equal bytes the same ID", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, id) => {
        const webhook = { body: Buffer.from(bytes), headers: { "webhook-id": id, "request-id": id } };
        expect(source.deliveryId(webhook)).toMatch(/^[!-~]{1,200}$/);
        expect(source.deliveryId(webhook)).toBe(source.deliveryId({ ...webhook }));
      }),
    );
  });
});

describe("the text of an alert", () => {
  const readBack = (source: AlertSender, body: object) => {
    const [announced] = source.read(JSON.parse(JSON.stringify(body)), received(body), {});
    const { alert } = parseText(announced?.kind === "alert" ? announced.alert.text : "");
    return alert && { system: alert.system, name: alert.name, severity: alert.severity, startedAt: alert.startedAt };
  };
  const named = { name: "HighErrorRate", severity: "critical", startedAt: "2026-03-01T11:58:03.157Z" };

  it("is recognized by the engine as its sender's", () => {
    expect(readBack(alertmanager, alertmanagerGroup)).toEqual({
      system: "Prometheus Alertmanager",
      ...named,
    });
    expect(readBack(grafana, grafanaGroup)).toEqual({ system: "Grafana", ...named });
    expect(readBack(sentry, metricHook("critical"))).toMatchObject({
      ...{ system: "Sentry", name: "Critical: Too many errors", startedAt: "2026-03-01T11:50:00.000Z" },
    });
  });
});
