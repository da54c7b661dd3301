import type { OfferedIntegration } from "@whence/protocol";
import { type Integration, VendorFailure } from "@whence/vendors";
import { betterStack, registryOf } from "@whence/vendors/testing";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { integrationLimits } from "../../../src/integrations/integration-limits.ts";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const authorized: Integration = {
  ...{ kind: "github", vendor: "Acme Forge", checkedAgainst: "its own server" },
  connect: () => {
    throw new VendorFailure("invalid-input", "not entered");
  },
};

let vendor: VendorServer;
let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  vendor = await startVendorServer();
  service = await startTestService({}, false, {}, false, true, {
    ...vendor.context,
    ...{ registry: registryOf([betterStack, authorized]), isApplicationConfigured: () => false },
  });
});
afterAll(async () => {
  await service.close();
  await vendor.close();
});
beforeEach(async () => {
  acme = await makeOrganization(service, crypto.randomUUID());
  accept("good-token");
});

/** The vendor answers this token alone. */
function accept(token: string): void {
  vendor.answer(({ headers }) =>
    headers.authorization === `Bearer ${token}` ? { body: { data: [] } } : { status: 401, body: { errors: "Invalid" } },
  );
}

const send = (method: "PUT" | "POST" | "GET" | "DELETE", path: string, payload?: object, cookie = acme.cookie) =>
  service.app.inject({
    ...{ method, url: `/api/integrations${path}`, headers: { cookie } },
    ...(payload ? { payload } : {}),
  });
const offered = async (): Promise<readonly OfferedIntegration[]> => (await send("GET", "")).json().integrations;

describe("the list of integrations", () => {
  it("has the kinds with a vendor, with what each was tested against and its documentation", async () => {
    expect(await offered()).toEqual([
      {
        ...{ kind: "uptime", authorization: null, connections: [] },
        vendors: [
          {
            ...{ name: "Better Stack", checked_against: betterStack.checkedAgainst },
            documentation: "/docs/integrations/better-stack",
          },
        ],
      },
      {
        ...{ kind: "github", authorization: "not configured", connections: [] },
        vendors: [
          { name: "Acme Forge", checked_against: "its own server", documentation: "/docs/integrations/acme-forge" },
        ],
      },
    ]);
  });
});

describe("connecting", () => {
  it("asks the vendor first, and stores what works with the name of its account", async () => {
    const connected = await send("PUT", "/uptime", { api_token: "good-token" });
    expect([connected.statusCode, connected.json()]).toMatchObject([
      200,
      { vendor: "Better Stack", belongs_to: "Uptime", answered_at: expect.any(String), failed: null },
    ]);
    expect((await offered())[0]?.connections).toEqual([connected.json()]);
  });

  it("says why the vendor refused, and keeps the earlier connection", async () => {
    const refused = await send("PUT", "/uptime", { api_token: "wrong-token" });
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      {
        code: "WHENCE_ERR_INTEGRATION_REFUSED",
        detail: expect.stringMatching(/^Better Stack rejected the credentials \(401\).*Nothing was stored$/),
      },
    ]);
    expect(refused.body).not.toContain("wrong-token");
    expect((await offered())[0]?.connections).toEqual([]);
    await send("PUT", "/uptime", { api_token: "good-token" });
    await send("PUT", "/uptime", { api_token: "wrong-token" });
    const { integrations } = service.control.scope(acme.id);
    expect(await integrations.credentials("uptime")).toEqual({ api_token: "good-token" });
  });

  it("asks no vendor for a member", async () => {
    const cookie = await signInMember(service, acme.id, `${acme.id}@acme.example`, "member");
    const before = vendor.requests.length;
    expect((await send("PUT", "/uptime", { api_token: "good-token" }, cookie)).statusCode).toBe(403);
    expect(vendor.requests).toHaveLength(before);
  });

  it("rejects a kind without a vendor", async () => {
    const refused = await send("PUT", "/sandbox", { api_key: "key" });
    expect([refused.statusCode, refused.json().code]).toEqual([404, "WHENCE_ERR_INTEGRATION_NOT_OFFERED"]);
  });
});

describe("several connections of one kind", () => {
  const named = (name: string) => `/uptime?${new URLSearchParams({ name })}`;
  const names = async () => (await offered())[0]?.connections.map(({ name }) => name);

  it("are distinguished by their names, and each is checked, replaced, and disconnected on its own", async () => {
    await send("PUT", "/uptime", { api_token: "good-token" });
    const europe = await send("PUT", named("europe"), { api_token: "good-token" });
    expect(europe.json()).toMatchObject({ kind: "uptime", name: "europe", vendor: "Better Stack" });
    accept("another-token");
    await send("PUT", named("europe"), { api_token: "another-token" });
    expect(await names()).toEqual(["", "europe"]);
    expect((await send("POST", "/uptime/verify?name=europe")).statusCode).toBe(200);
    expect((await send("POST", "/uptime/verify")).statusCode).toBe(409);
    expect((await send("POST", "/uptime/verify?name=asia")).json().code).toBe("WHENCE_ERR_INTEGRATION_NOT_CONNECTED");
    const { integrations } = service.control.scope(acme.id);
    expect(await integrations.credentials("uptime")).toEqual({ api_token: "good-token" });
    expect(await integrations.named("europe").credentials("uptime")).toEqual({ api_token: "another-token" });
    expect((await send("DELETE", "/uptime")).statusCode).toBe(200);
    expect(await names()).toEqual(["europe"]);
    const audited = await service.app.inject({ url: "/api/audit", headers: { cookie: acme.cookie } });
    expect(audited.json().entries).toContainEqual(
      expect.objectContaining({ action: "integration.connected", target: "Better Stack (europe)" }),
    );
  });

  it("are renamed with their credentials, to a name that no other has", async () => {
    const { integrations } = service.control.scope(acme.id);
    await send("PUT", "/uptime", { api_token: "good-token" });
    await send("PUT", named("europe"), { api_token: "good-token" });
    const taken = await send("POST", "/uptime/name", { name: "europe" });
    expect([taken.statusCode, taken.json().code]).toEqual([409, "WHENCE_ERR_INTEGRATION_NAME_TAKEN"]);
    const renamed = await send("POST", "/uptime/name?name=europe", { name: "asia" });
    expect([renamed.statusCode, renamed.json().name]).toEqual([200, "asia"]);
    expect(await names()).toEqual(["", "asia"]);
    expect(await integrations.named("asia").credentials("uptime")).toEqual({ api_token: "good-token" });
    expect(await integrations.named("europe").credentials("uptime")).toBeNull();
    expect((await send("POST", "/uptime/name?name=asia", { name: "asia" })).statusCode).toBe(200);
    expect((await send("POST", "/uptime/name", { name: "africa" })).json().name).toBe("africa");
    expect((await send("POST", "/uptime/verify?name=africa")).statusCode).toBe(200);
    expect((await send("POST", "/uptime/name?name=europe", { name: "x" })).json().code).toBe(
      "WHENCE_ERR_INTEGRATION_NOT_CONNECTED",
    );
    expect((await send("POST", "/code/name", { name: "x" })).statusCode).not.toBe(200);
    expect((await send("POST", "/uptime/name?name=asia", { name: "n".repeat(61) })).statusCode).toBe(422);
    const cookie = await signInMember(service, acme.id, `${acme.id}@acme.example`, "member");
    expect((await send("POST", "/uptime/name?name=asia", { name: "x" }, cookie)).statusCode).toBe(403);
    const audited = await service.app.inject({ url: "/api/audit", headers: { cookie: acme.cookie } });
    expect(audited.json().entries).toContainEqual(
      expect.objectContaining({ action: "integration.renamed", target: "Better Stack (africa)" }),
    );
  });

  it("have names of one line with at most 60 characters", async () => {
    const status = async (name: string) => (await send("PUT", named(name), { api_token: "good-token" })).statusCode;
    expect(await status("n".repeat(60))).toBe(200);
    expect(await status("n".repeat(61))).toBe(422);
    expect(await status("two\nlines")).toBe(422);
    expect(await status("reversed\u202e")).toBe(422);
  });

  it("are at most ten, and each can still be replaced", async () => {
    for (let number = 1; number <= integrationLimits.connectionsPerKindMax; number++) {
      expect((await send("PUT", named(`${number}`), { api_token: "good-token" })).statusCode).toBe(200);
    }
    const refused = await send("PUT", named("more"), { api_token: "good-token" });
    expect([refused.statusCode, refused.json().code]).toEqual([409, "WHENCE_ERR_INTEGRATION_TOO_MANY"]);
    expect((await send("PUT", named("10"), { api_token: "good-token" })).statusCode).toBe(200);
  });
});

describe("checking a connection again", () => {
  it("reports that the credentials still work", async () => {
    await send("PUT", "/uptime", { api_token: "good-token" });
    service.clock.now += 60_000;
    const checked = await send("POST", "/uptime/verify");
    expect(checked.json()).toMatchObject({ answered_at: new Date(service.clock.now).toISOString(), failed: null });
  });

  it("reports why they no longer work, and records it", async () => {
    await send("PUT", "/uptime", { api_token: "good-token" });
    accept("another-token");
    const checked = await send("POST", "/uptime/verify");
    expect([checked.statusCode, checked.json().code]).toEqual([409, "WHENCE_ERR_INTEGRATION_CHECK_FAILED"]);
    const reason = "Better Stack rejected the credentials (401): connect it again with valid ones";
    expect((await offered())[0]?.connections).toMatchObject([{ failed: { reason } }]);
    expect(checked.json().detail).toBe(reason);
  });

  it("is rejected for a kind that isn't connected", async () => {
    const refused = await send("POST", "/uptime/verify");
    expect([refused.statusCode, refused.json().code]).toEqual([404, "WHENCE_ERR_INTEGRATION_NOT_CONNECTED"]);
  });
});
