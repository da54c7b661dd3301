import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { grafana } from "../../src/grafana/alert-sender.ts";
import {
  alertsIn,
  hexHmac,
  nowSeconds,
  offline,
  read,
  received,
  tampered,
  withForged,
} from "../alert-senders/received.ts";
import { grafanaGroup } from "../alertmanager/samples.ts";

const secret = "a secret that is shown once";
const body = JSON.stringify(grafanaGroup);
const signatureHeader = "x-grafana-alerting-signature";
const timestampHeader = "x-grafana-alerting-timestamp";
const untimed = received(body, { [signatureHeader]: hexHmac("sha256", secret, body) });
const timed = (seconds: number | string = nowSeconds) =>
  received(body, {
    [signatureHeader]: hexHmac("sha256", secret, `${seconds}:${body}`),
    [timestampHeader]: String(seconds),
  });
const verify = (webhook: typeof untimed, inputs: Record<string, string> = { secret }) =>
  grafana.verify(webhook, inputs, offline);

describe("a Grafana webhook", () => {
  it("is accepted with a signature of the body, and with one of a time and the body", () => {
    expect([verify(untimed), verify(timed())]).toEqual([true, true]);
  });

  it("is rejected after a change of the body or the signature", () => {
    expect(verify(tampered(untimed))).toBe(false);
    expect(verify(tampered(timed(), body.length - 1))).toBe(false);
    expect(verify(withForged(untimed, signatureHeader))).toBe(false);
    expect(verify(withForged(timed(), timestampHeader))).toBe(false);
  });

  it("is accepted up to five minutes from now, and rejected beyond", () => {
    expect([-300, 300].map((seconds) => verify(timed(nowSeconds + seconds)))).toEqual([true, true]);
    expect([-301, 301].map((seconds) => verify(timed(nowSeconds + seconds)))).toEqual([false, false]);
  });

  it("is rejected when its time was removed, isn't a number, or is repeated", () => {
    const { headers } = timed();
    expect(verify({ body: Buffer.from(body), headers: { ...headers, [timestampHeader]: undefined } })).toBe(false);
    expect(verify(timed("now"))).toBe(false);
    expect(verify(timed("1e9"))).toBe(false);
    const twice = [String(nowSeconds), String(nowSeconds)];
    expect(verify({ body: Buffer.from(body), headers: { ...headers, [timestampHeader]: twice } })).toBe(false);
  });

  it("is rejected without a signature, with two, with another secret, and without a secret", () => {
    const signature = String(untimed.headers[signatureHeader]);
    expect(verify(received(body))).toBe(false);
    expect(verify(received(body, { [signatureHeader]: [signature, signature] }))).toBe(false);
    expect(verify(received(body, { [signatureHeader]: `${signature}, ${signature}` }))).toBe(false);
    expect(verify(untimed, { secret: "another" })).toBe(false);
    expect(verify(untimed, {})).toBe(false);
    expect(verify(received(body, { [signatureHeader]: hexHmac("sha256", "", body) }), { secret: "" })).toBe(false);
  });

  it("announces its alert with values, and links to the panel", () => {
    const [alert] = alertsIn(grafana, grafanaGroup);
    expect(alert).toMatchObject({
      key: "c6eadffa33fcdf37 2026-03-01T11:58:03.157Z",
      ...{ state: "firing", service: "checkout", env: "production", severity: "critical" },
      url: "https://grafana.example.com/d/checkout?viewPanel=4",
    });
    expect(alert?.text.split("\n")).toEqual(
      expect.arrayContaining([
        "[Alerting] HighErrorRate",
        "- value B = 7.3",
        "image: https://grafana.example.com/render/4.png",
      ]),
    );
  });

  it("announces that an alert was resolved, and links to its rule when it has no panel", () => {
    const [alert] = grafanaGroup.alerts;
    const resolved = {
      ...alert,
      status: "resolved",
      values: null,
      panelURL: "",
      dashboardURL: "",
      imageURL: undefined,
    };
    expect(alertsIn(grafana, { ...grafanaGroup, alerts: [resolved] })).toMatchObject([
      { state: "resolved", url: "https://grafana.example.com/alerting/1afz29v7z/edit" },
    ]);
  });

  it.each([{}, [[]], { version: "4", alerts: [] }, { version: "1", alerts: [{ status: "pending" }] }])(
    "isn't read as: %j",
    (other) => {
      expect(() => read(grafana, other)).toThrow(ZodError);
    },
  );
});
