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
let memberCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "second@acme.example", "member");
});
afterAll(() => service.close());

const read = (cookie: string, path = "") =>
  service.app.inject({ url: `/api/instructions${path}`, headers: { cookie } });
const write = (cookie: string, payload: object) =>
  service.app.inject({ method: "PUT", url: "/api/instructions", headers: { cookie }, payload });
const latest = async (): Promise<number> => (await read(acme.cookie)).json().version;

describe("an organization's custom instructions", () => {
  // requirement: auth.instructions-owner-edits
  // requirement: auth.instructions-member-reads
  it("are written by owners and read by every member, with their history", async () => {
    const version = await latest();
    const written = await write(acme.cookie, { text: "The database is shared with billing.", version });
    expect(written.statusCode).toBe(200);
    expect(written.json()).toMatchObject({ version: version + 1, changed_by: { name: expect.any(String) } });
    const asMember = await read(memberCookie);
    expect(asMember.json()).toEqual(written.json());
    expect((await write(memberCookie, { text: "mine", version: version + 1 })).statusCode).toBe(403);
    expect((await read(memberCookie)).json()).toEqual(written.json());
    expect((await read(memberCookie, "/history")).json().versions[0]).toEqual(written.json());
  });

  it("aren't overwritten by someone who read an older version", async () => {
    const version = await latest();
    expect((await write(acme.cookie, { text: "first", version })).statusCode).toBe(200);
    const late = await write(acme.cookie, { text: "second", version });
    expect(late.statusCode).toBe(409);
    expect(late.json().code).toBe("WHENCE_ERR_INSTRUCTIONS_CHANGED");
    expect((await read(acme.cookie)).json().text).toBe("first");
  });

  it("are 20,000 characters at most", async () => {
    const taken = await write(acme.cookie, { text: "x".repeat(20_000), version: await latest() });
    expect(taken.statusCode).toBe(200);
    const refused = await write(acme.cookie, { text: "x".repeat(20_001), version: await latest() });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail[0].loc).toEqual(["body", "text"]);
  });

  it("are hidden from other organizations and from people who aren't signed in", async () => {
    await write(acme.cookie, { text: "the secret of acme", version: await latest() });
    const other = await makeOrganization(service, "other");
    expect((await read(other.cookie)).json()).toMatchObject({ version: 0, text: "" });
    expect((await read(other.cookie, "/history")).json()).toEqual({ versions: [] });
    expect((await read("")).statusCode).toBe(401);
    expect((await write("", { text: "", version: 0 })).statusCode).toBe(401);
  });
});
