import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { alertmanager } from "../../src/alertmanager/alert-sender.ts";
import { alertsIn, now, offline, read, received, tampered } from "../alert-senders/received.ts";
import { alertmanagerGroup } from "./samples.ts";

const secret = "2f1c9b7e";
const verify = (authorization: string | string[] | undefined, inputs: Record<string, string> = { secret }) =>
  alertmanager.verify(received(alertmanagerGroup, { authorization }), inputs, { ...offline, now });

describe("a webhook of Alertmanager", () => {
  it.each([`Bearer ${secret}`, `bearer ${secret}`])("is accepted with the token: %s", (authorization) => {
    expect(verify(authorization)).toBe(true);
  });

  it.each([
    ["no token", undefined],
    ["another token", "Bearer 2f1c9b7f"],
    ["a token that only begins so", `Bearer ${secret}0`],
    ["an empty token", "Bearer "],
    ["another scheme", `Basic ${secret}`],
    ["two headers", [`Bearer ${secret}`, `Bearer ${secret}`]],
    ["two tokens", `Bearer ${secret}, Bearer ${secret}`],
  ])("is rejected with %s", (_, authorization) => {
    expect(verify(authorization)).toBe(false);
  });

  it("is rejected when the source has no secret", () => {
    expect([verify("Bearer undefined", {}), verify("Bearer ", { secret: "" })]).toEqual([false, false]);
  });

  it("announces each alert of its group", () => {
    expect(alertsIn(alertmanager, alertmanagerGroup)).toMatchObject([
      {
        key: "c6eadffa33fcdf37 2026-03-01T11:58:03.157Z",
        state: "firing",
        title: "HighErrorRate: 5xx above 5%",
        ...{ service: "checkout", env: "production", severity: "critical" },
        at: "2026-03-01T11:58:03.157Z",
        url: "https://prometheus.example.com/graph?g0.expr=errors&g0.tab=1",
      },
      { state: "resolved", title: "SlowQueue", service: "billing", env: "staging", severity: "medium" },
    ]);
  });

  it("is about the workload when its labels name the exporter that measured it", () => {
    const [first] = alertmanagerGroup.alerts;
    const measured = { job: "kube-state-metrics", service: "prometheus-kube-state-metrics", container: "checkout" };
    const labels = { alertname: "KubePodCrashLooping", ...measured };
    const group = { ...alertmanagerGroup, alerts: [{ ...first, labels }] };
    expect(alertsIn(alertmanager, group)).toMatchObject([{ service: "checkout" }]);
  });

  it("contains everything that the alert says", () => {
    expect(alertsIn(alertmanager, alertmanagerGroup)[0]?.text).toBe(
      [
        "[FIRING:1] HighErrorRate",
        "summary: 5xx above 5%",
        "description: 7.3% of the requests to checkout failed in 5 minutes",
        "runbook_url: https://wiki.example.com/runbooks/checkout",
        "- alertname = HighErrorRate",
        "- service = checkout",
        "- env = production",
        "- severity = critical",
        "startsAt: 2026-03-01T11:58:03.157Z",
      ].join("\n"),
    );
  });

  it("links only to web addresses", () => {
    const [alert] = alertmanagerGroup.alerts;
    const group = { version: "4", alerts: [{ ...alert, generatorURL: "javascript:alert(1)" }] };
    expect(alertsIn(alertmanager, group)[0]?.url).toBeNull();
  });

  it("announces nothing for an empty group", () => {
    expect(read(alertmanager, { version: "4", alerts: [] })).toEqual([]);
  });

  it.each([{}, [[]], null, "text", { version: "3", alerts: [] }, { version: "4", alerts: [{ status: "firing" }] }])(
    "isn't read as: %j",
    (body) => {
      expect(() => read(alertmanager, body)).toThrow(ZodError);
    },
  );

  it("has the same delivery ID as its repetition, and a different one than a changed group", () => {
    const id = alertmanager.deliveryId(received(alertmanagerGroup));
    expect(alertmanager.deliveryId(received(alertmanagerGroup))).toBe(id);
    expect(alertmanager.deliveryId(tampered(received(alertmanagerGroup)))).not.toBe(id);
  });
});
