import type { IntegrationKindName } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectedCode } from "../../src/sources/connected-code.ts";
import { startTestService, type TestService } from "../test-service.ts";

const now = new Date("2026-03-01T10:00:00.000Z");
const by = { id: "usr_ada", name: "Ada" };
let service: TestService;
let hasCode: ReturnType<typeof connectedCode>;
beforeAll(async () => {
  service = await startTestService();
  hasCode = connectedCode([{ organization: "acme", service: "orders", folder: "/srv/orders" }], service.control);
});
afterAll(() => service.close());

async function organization(slug: string): Promise<string> {
  return (await service.control.organizations.ensure({ slug, name: slug, now })).id;
}

describe("the code of a service", () => {
  it("may be in a folder of its organization", async () => {
    const [acme, other] = [await organization("acme"), await organization("other")];
    expect(await hasCode({ scopeId: acme, service: "orders" })).toBe(true);
    expect(await hasCode({ scopeId: acme, service: "cart" })).toBe(false);
    expect(await hasCode({ scopeId: other, service: "orders" })).toBe(false);
  });

  it("may be at a code host that its organization has connected", async () => {
    const scopeId = await organization("hosted");
    const { integrations } = service.control.scope(scopeId);
    const connect = (kind: IntegrationKindName) =>
      integrations.connect({
        ...{ kind, vendor: kind, belongsTo: "ours", inputs: {}, credentials: { token: "t" } },
        by,
        now,
      });
    await connect("dashboards");
    expect(await hasCode({ scopeId, service: "orders" })).toBe(false);
    await connect("github");
    expect(await hasCode({ scopeId, service: "orders" })).toBe(true);
  });
});
