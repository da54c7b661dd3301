import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let invitationId: string;

beforeAll(async () => {
  service = await startTestService({}, true);
  acme = await makeOrganization(service, "acme");
  const invited = await service.app.inject({
    ...{ method: "POST", url: "/api/auth/organization/invite-member", headers: { cookie: acme.cookie } },
    payload: { email: "grace@acme.example", role: "owner", organizationId: acme.id },
  });
  invitationId = invited.json().id;
});
afterAll(() => service.close());

const ask = (cookie: string, operation: string) =>
  service.app.inject({
    url: `/api/auth/organization/${operation}?organizationId=${acme.id}`,
    headers: { cookie },
  });

describe("the ID of an invitation, which admits its holder as the invited person", () => {
  it("is listed to an owner", async () => {
    const listed = await ask(acme.cookie, "list-invitations");
    expect(listed.json()).toMatchObject([{ id: invitationId, email: "grace@acme.example", status: "pending" }]);
  });

  it.each(["list-invitations", "list-user-invitations", "get-full-organization"])(
    "is not disclosed by %s to a member, to another organization's owner, or without a session",
    async (operation) => {
      const other = await makeOrganization(service, `other-${operation}`);
      const member = await signInMember(service, acme.id, `${operation}@acme.example`, "member");
      for (const cookie of [member, other.cookie, ""]) {
        const answer = await ask(cookie, operation);
        expect([401, 403, 404]).toContain(answer.statusCode);
        expect(answer.body).not.toContain(invitationId);
      }
    },
  );

  it("isn't disclosed to someone who signed up with the invited person's address", async () => {
    const signedUp = await service.app.inject({
      ...{ method: "POST", url: "/api/auth/sign-up/email" },
      payload: { email: "grace@acme.example", password: "correct horse battery", name: "Not Grace" },
    });
    expect(signedUp.statusCode).toBe(200);
    const cookie = [signedUp.headers["set-cookie"] ?? []]
      .flat()
      .map((value) => value.split(";")[0])
      .join("; ");
    for (const operation of ["list-invitations", "list-user-invitations", "get-full-organization"]) {
      expect((await ask(cookie, operation)).body).not.toContain(invitationId);
    }
  });
});
