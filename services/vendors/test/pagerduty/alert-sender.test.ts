import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { pagerduty } from "../../src/pagerduty/alert-sender.ts";
import { alertsIn, hexHmac, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";

/** https://developer.pagerduty.com/docs/webhooks-overview#webhook-payload */
const event = (event_type: string, data: object = incident) => ({
  event: {
    id: "01BRB6ZP4M6T8ZG4X6BP63ZB9O",
    event_type,
    resource_type: "incident",
    occurred_at: "2026-03-01T11:59:03.682Z",
    agent: null,
    client: null,
    data,
  },
});
const incident = {
  id: "PGR0VU2",
  type: "incident",
  self: "https://api.pagerduty.com/incidents/PGR0VU2",
  html_url: "https://acme.pagerduty.com/incidents/PGR0VU2",
  number: 2,
  status: "triggered",
  incident_key: "d3640fbd41094207a1c11e58e46b1662",
  created_at: "2026-03-01T11:58:03Z",
  title: "Checkout fails",
  service: { id: "PF9KMXH", summary: "checkout", type: "service_reference" },
  priority: { id: "PSO75BM", summary: "P1", type: "priority_reference" },
  urgency: "high",
};

const header = "x-pagerduty-signature";
const secret = "a signing secret";
const body = JSON.stringify(event("incident.triggered"));
const signature = `v1=${hexHmac("sha256", secret, body)}`;
const other = `v1=${hexHmac("sha256", "the secret before", body)}`;
const signed = (value: string | string[] | undefined) => received(body, { [header]: value });
const verify = (webhook: ReturnType<typeof received>, inputs: Record<string, string> = { secret }) =>
  pagerduty.verify(webhook, inputs, offline);

describe("a PagerDuty webhook", () => {
  it.each([
    ["one signature", signature],
    ["the second of two signatures", `${other},${signature}`],
    ["the first of two signatures", `${signature},${other}`],
    ["a signature of a version to come", `v2=abc,${signature}`],
  ])("is accepted with %s", (_, value) => {
    expect(verify(signed(value))).toBe(true);
  });

  it.each([
    ["no signature", undefined],
    ["another's signature", other],
    ["a signature of another version", signature.replace("v1", "v2")],
    ["a signature without a version", signature.slice(3)],
    ["two headers that Node joined", `${signature}, ${other}`],
    ["two headers that Node lists", [signature, signature]],
    ["a signature that is too short", signature.slice(0, -1)],
    ["an empty signature", "v1="],
  ])("is rejected with %s", (_, value) => {
    expect(verify(signed(value))).toBe(false);
  });

  it("is rejected after a change of the body or the signature, and without a secret", () => {
    expect(verify(tampered(signed(signature)))).toBe(false);
    expect(verify(withForged(signed(signature), header))).toBe(false);
    expect(verify(signed(signature), {})).toBe(false);
  });

  it("announces a triggered incident", () => {
    expect(alertsIn(pagerduty, event("incident.triggered"))).toEqual([
      {
        key: "PGR0VU2",
        state: "firing",
        title: "Checkout fails",
        text: [
          ...["[#2] Checkout fails (Triggered)", "Checkout fails", "- service = checkout", "- urgency = high"],
          ...["- priority = P1", "started: 2026-03-01T11:58:03.000Z"],
        ].join("\n"),
        ...{ service: "checkout", env: null, severity: "critical" },
        at: "2026-03-01T11:58:03.000Z",
        url: "https://acme.pagerduty.com/incidents/PGR0VU2",
      },
    ]);
  });

  it("announces that the incident was resolved, and that it fails again when it is reopened", () => {
    expect(alertsIn(pagerduty, event("incident.resolved"))).toMatchObject([{ key: "PGR0VU2", state: "resolved" }]);
    expect(alertsIn(pagerduty, event("incident.reopened"))).toMatchObject([
      { key: "PGR0VU2", state: "firing", at: "2026-03-01T11:59:03.682Z" },
    ]);
  });

  it.each(["incident.acknowledged", "incident.annotated", "service.updated", "incident.to.come"])(
    "announces nothing for %s",
    (type) => {
      expect(read(pagerduty, event(type, { id: "P1", type: "other" }))).toEqual([]);
    },
  );

  it("announces nothing for a test of the webhook", () => {
    expect(read(pagerduty, event("pagey.ping", { message: "Hello from your friend Pagey!", type: "ping" }))).toEqual(
      [],
    );
  });

  it.each([{}, [[]], null, { event: {} }, event("incident.triggered", { id: "" })])("isn't read as: %j", (other) => {
    expect(() => read(pagerduty, other)).toThrow(ZodError);
  });

  it("is identified by its event, or by its bytes when it has none", () => {
    expect(pagerduty.deliveryId(signed(signature))).toBe("01BRB6ZP4M6T8ZG4X6BP63ZB9O");
    expect(pagerduty.deliveryId(received("no JSON"))).toMatch(/^[0-9a-f]{64}$/);
  });
});
