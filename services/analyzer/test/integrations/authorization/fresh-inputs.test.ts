import { vendorLimits } from "@whence/vendors";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freshInputs } from "../../../src/integrations/authorization/fresh-inputs.ts";
import { startTestService, type TestService } from "../../test-service.ts";
import { type AuthorizationServer, startAuthorizationServer } from "./authorization-server.ts";

const kind = "gitlab";
const by = { id: "usr_ada", name: "Ada" };
const { signal } = new AbortController();
let service: TestService;
let vendor: AuthorizationServer;
let scopeId: string;

beforeAll(async () => {
  service = await startTestService();
  vendor = await startAuthorizationServer(() => service.clock.now);
});
afterAll(async () => {
  await service.close();
  await vendor.close();
});
beforeEach(async () => {
  const now = new Date(service.clock.now);
  scopeId = (await service.control.organizations.ensure({ slug: crypto.randomUUID(), name: "acme", now })).id;
  vendor.holdTokens(Promise.resolve());
});

const integrations = () => service.control.scope(scopeId).integrations;
const fresh = () => freshInputs(integrations(), kind, vendor.outbound, signal);
const refreshes = (): number => vendor.asked.filter((one) => one === "POST /oauth/token refresh_token").length;

/** Connects with a token that has this long to live. */
async function connect(leftMs: number, refreshToken = vendor.grantRefreshToken()): Promise<void> {
  const expiresAt = new Date(service.clock.now + leftMs).toISOString();
  const credentials = { access_token: "first", refresh_token: refreshToken, expires_at: expiresAt };
  await integrations().connect({
    ...{ kind, vendor: "GitLab", belongsTo: "acme" },
    inputs: {},
    credentials,
    by,
    now: new Date(service.clock.now),
  });
}

describe("the access token of a connection", () => {
  it("is renewed a minute before it expires, not earlier", async () => {
    const before = refreshes();
    await connect(vendorLimits.renewedBeforeMs + 1);
    expect(await fresh()).toMatchObject({ access_token: "first" });
    await connect(vendorLimits.renewedBeforeMs);
    const renewed = await fresh();
    expect(vendor.secrets).toContain(renewed?.access_token);
    expect(await integrations().credentials(kind)).toEqual(renewed);
    expect(refreshes() - before).toBe(1);
  });

  it("is renewed once for two investigations at the same time, which both get the new one", async () => {
    const before = refreshes();
    await connect(0);
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    vendor.holdTokens(answered);
    const both = [fresh(), fresh()];
    await expect.poll(() => refreshes() - before).toBe(1);
    answer();
    const [one, other] = await Promise.all(both);
    expect(one?.access_token).not.toBe("first");
    expect(other).toEqual(one);
    expect(refreshes() - before).toBe(1);
  });

  it("that was revoked at the vendor says to connect again, without the vendor's text or the token", async () => {
    await connect(0, "revoked-token");
    const failure = await fresh().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      ...{ reason: "unauthorized", name: "VendorFailure" },
      message: "GitLab no longer accepts this authorization: connect it again",
    });
    expect(String(failure)).not.toContain("revoked-token");
    // The next investigation may try at once.
    await expect(fresh()).rejects.toMatchObject({ reason: "unauthorized" });
  });

  it("is renewed once even if the new one lives for less than a minute", async () => {
    const before = refreshes();
    await connect(0);
    vendor.shortenLives(30);
    expect(vendor.secrets).toContain((await fresh())?.access_token);
    expect(refreshes() - before).toBe(1);
  });

  it("stays as it is when it never expires, and doesn't exist when nothing is connected", async () => {
    expect(await fresh()).toBeNull();
    const credentials = { access_token: "forever" };
    await integrations().connect({
      ...{ kind, vendor: "GitLab", belongsTo: "acme" },
      inputs: {},
      credentials,
      by,
      now: new Date(service.clock.now),
    });
    expect(await fresh()).toEqual({ access_token: "forever" });
  });

  it("isn't waited for longer than the question allows", async () => {
    await connect(0);
    const now = new Date(service.clock.now);
    await integrations().takeRenewal(kind, { now, until: new Date(now.getTime() + 1) });
    const stopping = new AbortController();
    const waiting = freshInputs(integrations(), kind, vendor.outbound, stopping.signal);
    stopping.abort(new Error("the time is up"));
    await expect(waiting).rejects.toThrow();
  });
});
