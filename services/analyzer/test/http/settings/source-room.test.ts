import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addKey, makeOrganization, startTestService, type TestService } from "../../test-service.ts";

const bytesMax = 20_000;
const code = "export const total = 1;\n";
const sha256 = createHash("sha256").update(code).digest("hex");

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ organizationSourceBytesMax: bytesMax });
});
afterAll(() => service.close());

/** Sends lists of one file, each of another release. */
async function uploader(slug: string) {
  const { id, cookie } = await makeOrganization(service, slug);
  const headers = { "x-api-key": await addKey(service, id, "release") };
  await service.app.inject({ method: "POST", url: "/api/sources/contents", headers, payload: { contents: [code] } });
  const list = (release: number) => ({
    service: "orders",
    release: `${release}`,
    files: [{ path: `${release}.js`, sha256 }],
  });
  return {
    put: (release: number) =>
      service.app.inject({ method: "PUT", url: "/api/sources", headers, payload: list(release) }),
    remove: (release: number) =>
      service.app.inject({ method: "DELETE", url: `/api/sources/orders/${release}`, headers: { cookie } }),
  };
}

it("rejects source lists beyond the quota of their organization, until a release is removed", async () => {
  const [full, roomy] = [await uploader("full"), await uploader("roomy")];
  const statuses = new Set<number>();
  for (let release = 0; release < 20; release += 1) statuses.add((await full.put(release)).statusCode);
  expect([...statuses]).toEqual([200, 413]);
  expect((await full.put(20)).json()).toEqual({
    code: "WHENCE_ERR_ORGANIZATION_SOURCE_QUOTA",
    detail: expect.stringContaining(`${bytesMax} bytes`),
  });
  expect((await roomy.put(0)).json()).toEqual({ stored: true, missing: [] });
  await full.remove(0);
  expect((await full.put(20)).json()).toEqual({ stored: true, missing: [] });
});
