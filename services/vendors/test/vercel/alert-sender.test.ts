import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { vercel } from "../../src/vercel/alert-sender.ts";
import { alertsIn, hexHmac, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";

/** https://vercel.com/docs/webhooks/webhooks-api */
const event = (type: string, payload: object = {}, createdAt: unknown = 1_772_366_283_000) => ({
  id: "uev_qY2tXqFr0F5nXcC1",
  type,
  createdAt,
  region: "sfo1",
  payload: {
    team: { id: "team_1" },
    user: { id: "user_1" },
    deployment: {
      id: "dpl_7Ew1",
      name: "storefront",
      url: "storefront-7ew1.vercel.app",
      meta: { githubCommitSha: "1f0c9e2", githubCommitMessage: "Show the tax", githubCommitOrgSecret: "x" },
    },
    links: { deployment: "https://vercel.com/acme/storefront/7Ew1", project: "https://vercel.com/acme/storefront" },
    target: "production",
    project: { id: "prj_1" },
    ...payload,
  },
});

const header = "x-vercel-signature";
const secret = "a secret";
const body = JSON.stringify(event("deployment.error"));
const signature = hexHmac("sha1", secret, body);
const verify = (webhook: ReturnType<typeof received>, inputs: Record<string, string> = { secret }) =>
  vercel.verify(webhook, inputs, offline);

describe("a Vercel webhook", () => {
  const signed = received(body, { [header]: signature });

  it("is accepted with its signature", () => {
    expect(verify(signed)).toBe(true);
  });

  it("is rejected after a change of the body or the signature", () => {
    expect([verify(tampered(signed)), verify(withForged(signed, header))]).toEqual([false, false]);
  });

  it("is rejected without a signature, with two, with a SHA-256, and without a secret", () => {
    for (const value of [undefined, "", [signature, signature], hexHmac("sha256", secret, body), signature.slice(1)])
      expect(verify(received(body, { [header]: value }))).toBe(false);
    expect(verify(signed, {})).toBe(false);
  });

  it("announces a failed deployment to production", () => {
    expect(alertsIn(vercel, event("deployment.error"))).toEqual([
      {
        key: "dpl_7Ew1",
        state: "firing",
        title: "Deployment of storefront to production failed",
        text: [
          ...["Deployment of storefront to production failed", "- deployment = dpl_7Ew1"],
          ...["- url = storefront-7ew1.vercel.app", "- githubCommitSha = 1f0c9e2"],
          ...["- githubCommitMessage = Show the tax", "timestamp: 2026-03-01T11:58:03.000Z"],
        ].join("\n"),
        ...{ service: "storefront", env: "production", severity: "high" },
        at: "2026-03-01T11:58:03.000Z",
        url: "https://vercel.com/acme/storefront/7Ew1",
      },
    ]);
  });

  it("announces a failed preview as less severe", () => {
    expect(alertsIn(vercel, event("deployment.error", { target: null }, "2026-03-01T11:58:03.000Z"))).toMatchObject([
      { env: "preview", severity: "low", at: "2026-03-01T11:58:03.000Z" },
    ]);
  });

  it("announces a deployment that went live as a release of its commit", () => {
    const deploy = {
      ...{ key: "dpl_7Ew1", service: "storefront", env: "PROD", release: "1f0c9e2", commit: "1f0c9e2" },
      ...{ at: "2026-03-01T11:58:03.000Z", url: "https://vercel.com/acme/storefront/7Ew1" },
    };
    expect(read(vercel, event("deployment.succeeded"))).toEqual([{ kind: "deploy", deploy }]);
    expect(read(vercel, event("deployment.promoted", { target: undefined }))).toEqual([{ kind: "deploy", deploy }]);
    expect(read(vercel, event("deployment.succeeded", { target: "staging" }))).toEqual([
      { kind: "deploy", deploy: { ...deploy, env: "staging" } },
    ]);
  });

  it("names a release without a commit after its deployment", () => {
    const deployment = { id: "dpl_2", name: "storefront", meta: { githubCommitSha: "main" } };
    expect(read(vercel, event("deployment.succeeded", { deployment }))).toMatchObject([
      { deploy: { release: "dpl_2", commit: null } },
    ]);
  });

  it("announces no preview that went live", () => {
    expect(read(vercel, event("deployment.succeeded", { target: null }))).toEqual([]);
  });

  it("announces the deployment that is rolled back to", () => {
    const rollback = { fromDeploymentId: "dpl_2", toDeploymentId: "dpl_1", deployment: undefined };
    expect(read(vercel, event("deployment.rollback", rollback))).toEqual([
      { kind: "rollback", key: "dpl_1", at: "2026-03-01T11:58:03.000Z" },
    ]);
  });

  it("announces that the application was removed", () => {
    expect(read(vercel, event("integration-configuration.removed"))).toEqual([{ kind: "removed", by: null }]);
  });

  it.each(["deployment.created", "deployment.canceled", "project.removed"])("announces nothing for %s", (type) => {
    expect(read(vercel, event(type))).toEqual([]);
  });

  it.each([{}, [[]], null, event("deployment.error", { deployment: null }), event("deployment.error", {}, "today")])(
    "isn't read as: %j",
    (other) => {
      expect(() => read(vercel, other)).toThrow(ZodError);
    },
  );

  it("is identified by its ID", () => {
    expect(vercel.deliveryId(signed)).toBe("uev_qY2tXqFr0F5nXcC1");
  });
});
