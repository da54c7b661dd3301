import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../test-service.ts";
import { mountOperator } from "./service.ts";

let service: TestService;
let app: FastifyInstance;
let authorization: string;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  const operator = await mountOperator(service);
  app = operator.app;
  authorization = `Bearer ${operator.token}`;
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const verify = async (query = "") => app.inject({ url: `/operator/audit-log${query}`, headers: { authorization } });

describe("the verification of the audit log", () => {
  it("reports that every log is unchanged, and names an entry that was changed in the database", async () => {
    for (const name of ["a", "b", "c"]) {
      const payload = { name, scope: "send" };
      await service.app.inject({ method: "POST", url: "/api/keys", headers: { cookie: acme.cookie }, payload });
    }
    const head = expect.stringMatching(/^[0-9a-f]{64}$/);
    const before = (await verify()).json();
    expect(before).toEqual({
      organizations: [{ organization_id: acme.id, entries: 3, head, fault: null }],
      missing_heads: [],
    });
    const noted = before.organizations[0].head;
    expect((await verify(`?head=${noted}&head=${"0".repeat(64)}`)).json().missing_heads).toEqual(["0".repeat(64)]);
    const [, second] = await service.control.scope(acme.id).audit.list({ limit: 3 });
    await service.control.identity.db
      .withTables<{ audit_entry: { id: string; user_name: string } }>()
      .updateTable("audit_entry")
      .set({ user_name: "Mallory" })
      .where("id", "=", second?.id ?? "")
      .execute();
    expect((await verify()).json().organizations[0].fault).toEqual({ kind: "changed", seq: 2, entry_id: second?.id });
  });

  it("is for operators, and accepts heads in the form that it prints", async () => {
    expect((await app.inject({ url: "/operator/audit-log" })).statusCode).toBe(401);
    expect((await verify("?head=nonsense")).statusCode).toBe(422);
  });
});
