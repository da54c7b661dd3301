import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { webhook } from "../../src/standard-webhooks/alert-sender.ts";
import { mintWebhookSecret, signatureHeaders } from "../../src/standard-webhooks/signature.ts";
import { alertsIn, now, nowSeconds, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";

const secret = mintWebhookSecret();
const alert = {
  title: "Checkout fails",
  text: "TypeError: rate is undefined\n    at withTax (/srv/tax.js:8:21)",
  service: "checkout",
  env: "production",
  severity: "high",
  key: "checkout-5xx",
  url: "https://status.example.com/1",
  at: "2026-03-01T12:58:03+01:00",
};
const body = JSON.stringify(alert);
const signed = (at = now, key = secret) => received(body, signatureHeaders(key, "msg_1", body, at));
const withHeaders = (headers: Record<string, string | string[] | undefined>) =>
  received(body, { ...signed().headers, ...headers });
const verify = (sent: ReturnType<typeof received>, inputs: Record<string, string> = { secret }, at = now) =>
  webhook.verify(sent, inputs, { ...offline, now: at });

describe("a webhook signed according to Standard Webhooks", () => {
  it("is accepted with its signature, and with its signature among others", () => {
    const [own, other] = [signed(), signed(now, mintWebhookSecret())].map(
      ({ headers }) => headers["webhook-signature"],
    );
    expect(verify(signed())).toBe(true);
    for (const several of [`${other} ${own}`, `${own} ${other}`, `v1a,c2ln ${own}`])
      expect(verify(withHeaders({ "webhook-signature": several }))).toBe(true);
  });

  it("is accepted with the vector of the specification's own tests", () => {
    const vector = {
      ...{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", id: "msg_p5jXN8AQM9LWM0D4loKWxJek" },
      ...{ body: '{"test": 2432232314}', at: 1_614_265_330_000 },
    };
    const headers = signatureHeaders(vector.secret, vector.id, vector.body, vector.at);
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    expect(verify(received(vector.body, headers), { secret: vector.secret }, vector.at)).toBe(true);
  });

  it("is rejected after a change of the body, the ID, the time, or the signature", () => {
    expect(verify(tampered(signed(), body.length - 1))).toBe(false);
    for (const name of ["webhook-id", "webhook-timestamp"]) expect(verify(withForged(signed(), name))).toBe(false);
    const signature = String(signed().headers["webhook-signature"]);
    expect(verify(withHeaders({ "webhook-signature": signature.replace(/.(?==$)/, "!") }))).toBe(false);
  });

  it("is accepted up to five minutes from now, and rejected beyond", () => {
    expect([-300_000, 300_000].map((ms) => verify(signed(now + ms)))).toEqual([true, true]);
    expect([-301_000, 301_000].map((ms) => verify(signed(now + ms)))).toEqual([false, false]);
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "is refused when %s is missing or came twice",
    (name) => {
      const value = String(signed().headers[name]);
      for (const wrong of [undefined, "", [value, value], `${value}, ${value}`])
        expect(verify(withHeaders({ [name]: wrong }))).toBe(false);
    },
  );

  it("is rejected by a source without a secret", () => {
    const headers = signatureHeaders("whsec_", "msg_1", body, now);
    for (const inputs of [{}, { secret: "" }, { secret: "whsec_" }])
      expect(verify(received(body, headers), inputs)).toBe(false);
  });

  it("is judged like the reference implementation judges it", () => {
    const reference = (sent: ReturnType<typeof received>): boolean => {
      try {
        new Webhook(secret).verify(sent.body.toString(), sent.headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    const tamperings = fc.constantFrom("nothing", "body", "webhook-id", "webhook-timestamp", "secret");
    const offsets = fc.integer({ min: -600, max: 600 }).filter((seconds) => Math.abs(Math.abs(seconds) - 300) > 5);
    fc.assert(
      fc.property(
        fc.json(),
        fc.stringMatching(/^msg_[a-zA-Z0-9]{1,20}$/),
        tamperings,
        offsets,
        (json, id, what, offset) => {
          const at = Date.now();
          const key = what === "secret" ? mintWebhookSecret() : secret;
          const sent = received(json, signatureHeaders(key, id, json, at + offset * 1_000));
          const changed =
            what === "body" ? received(`${json} `, sent.headers) : what.includes("-") ? withForged(sent, what) : sent;
          expect(verify(changed, { secret }, at)).toBe(reference(changed));
        },
      ),
    );
  });
});

describe("the body of a webhook", () => {
  it("is an alert", () => {
    expect(alertsIn(webhook, alert)).toEqual([{ ...alert, state: "firing", at: "2026-03-01T11:58:03.000Z" }]);
  });

  it("requires a title and a text, and has the time at which it was signed", () => {
    expect(read(webhook, { title: "Checkout fails", text: "It does." }, signed())).toEqual([
      {
        kind: "alert",
        alert: {
          ...{ key: "Checkout fails", state: "firing", title: "Checkout fails", text: "It does." },
          ...{ service: null, env: null, severity: null, at: new Date(nowSeconds * 1_000).toISOString(), url: null },
        },
      },
    ]);
  });

  it("resolves a failure by its key, or by its title, service, and environment", () => {
    const { key, ...unnamed } = alert;
    expect(alertsIn(webhook, { ...alert, status: "resolved" })).toMatchObject([{ key, state: "resolved" }]);
    expect(alertsIn(webhook, { ...unnamed, status: "resolved" })).toMatchObject([
      { key: "Checkout fails / checkout / production", state: "resolved" },
    ]);
  });

  it.each([
    ...[{}, [[]], null, "text", { title: "x" }, { title: "", text: "x" }, { title: "x", text: "" }],
    ...[
      { ...alert, severity: "bad" },
      { ...alert, status: "open" },
      { ...alert, at: "today" },
    ],
    ...[
      { ...alert, key: "" },
      { ...alert, key: "a\u0000b" },
      { ...alert, key: "k".repeat(513) },
    ],
  ])("isn't read as: %j", (other) => {
    expect(() => read(webhook, other, signed())).toThrow(ZodError);
  });

  it("is identified by its ID", () => {
    expect(webhook.deliveryId(signed())).toBe("msg_1");
  });
});
