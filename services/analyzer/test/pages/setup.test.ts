import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeOrganization, signUp, startTestService, type TestService } from "../test-service.ts";

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const ada = { name: "Ada", email: "Ada@Example.com", password: "8 signs." };
const setUp = (person: typeof ada, token = service.setup.token) =>
  service.app.inject({
    method: "POST",
    url: "/setup",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ ...person, token, next: "/incidents/inc_1" }).toString(),
  });
const ownersOf = async (id: string) =>
  service.control.identity.db
    .withTables<{ member: { organizationId: string; role: string } }>()
    .selectFrom("member")
    .select("role")
    .where("organizationId", "=", id)
    .execute();

describe("the set-up link, used", () => {
  it("by six at once makes one of them the owner, and is closed to the others", async () => {
    const people = Array.from({ length: 6 }, (_, index) => ({ ...ada, email: `${index}@example.com` }));
    const answers = await Promise.all(people.map((person) => setUp(person)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 410, 410, 410, 410, 410]);
    expect(await ownersOf(service.setup.organizationId)).toEqual([{ role: "owner" }]);
  });

  it("again by the owner, whose browser got no answer, signs the owner in; with another password it is closed", async () => {
    expect((await setUp(ada)).statusCode).toBe(303);
    const again = await setUp(ada);
    expect(again.statusCode).toBe(303);
    expect(again.headers.location).toBe("/incidents/inc_1");
    expect(again.headers["set-cookie"]).toBeTruthy();
    expect((await setUp({ ...ada, password: "another one" })).statusCode).toBe(410);
    expect((await setUp(ada, "another token")).statusCode).toBe(410);
    expect((await setUp({ ...ada, password: "short" })).statusCode).toBe(410);
    expect((await ownersOf(service.setup.organizationId)).length).toBe(1);
  });

  it("with the address of a set-up that died half-way goes on to the end", async () => {
    await signUp(service.control, { ...ada, email: "ada@example.com", password: "the first attempt" });
    expect((await setUp(ada)).statusCode).toBe(303);
    expect(await ownersOf(service.setup.organizationId)).toEqual([{ role: "owner" }]);
  });

  it("with the address of somebody of another organization asks for another one", async () => {
    await makeOrganization(service, "acme");
    const refused = await setUp({ ...ada, email: "owner@acme.example" });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain("There is an account with this email address already.");
    expect((await setUp(ada)).statusCode).toBe(303);
  });

  it("stays closed when the owner's membership is gone", async () => {
    await setUp(ada);
    await service.control.identity.db.withTables<{ member: { id: string } }>().deleteFrom("member").execute();
    expect((await service.app.inject(`/setup?token=${service.setup.token}`)).statusCode).toBe(410);
    expect((await setUp({ ...ada, email: "eve@example.com" })).statusCode).toBe(410);
  });
});
