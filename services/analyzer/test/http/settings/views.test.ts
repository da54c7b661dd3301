import { savedViewSchema, savedViewsSchema, viewLimits } from "@whence/protocol";
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
let grace: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  grace = await signInMember(service, acme.id, "grace@acme.example", "member");
});
afterAll(() => service.close());

const send = (method: "POST" | "PUT" | "DELETE", path: string, payload?: object, cookie = acme.cookie) =>
  service.app.inject({ method, url: `/api/views${path}`, headers: { cookie }, ...(payload && { payload }) });
const list = async (cookie: string) =>
  savedViewsSchema.parse((await service.app.inject({ url: "/api/views", headers: { cookie } })).json()).views;
const cart = { name: " Cart ", filter: { service: "cart", sort: "events" }, shared: true };

describe("the saved views of a member", () => {
  it("are changed and deleted by them alone, and seen by others once shared", async () => {
    const saved = savedViewSchema.parse((await send("POST", "", cart)).json());
    expect(saved).toMatchObject({ ...cart, name: "Cart", mine: true, by: "owner@acme.example" });
    expect(await list(grace)).toEqual([{ ...saved, mine: false }]);
    for (const refused of [
      await send("PUT", `/${saved.id}`, cart, grace),
      await send("DELETE", `/${saved.id}`, undefined, grace),
    ]) {
      expect([refused.statusCode, refused.json().code]).toEqual([404, "WHENCE_ERR_VIEW_UNKNOWN"]);
    }
    expect((await send("PUT", `/${saved.id}`, { ...cart, shared: false })).statusCode).toBe(200);
    expect(await list(grace)).toEqual([]);
    expect((await send("DELETE", `/${saved.id}`)).json()).toEqual({ view_id: saved.id });
    expect(await list(acme.cookie)).toEqual([]);
  });

  it("have a name and filters of the list, within their limits", async () => {
    const { viewNameLengthMax: nameMax, viewValueLengthMax: valueMax } = viewLimits;
    const statusOf = async (name: string, filter: object) => (await send("POST", "", { name, filter })).statusCode;
    const value = (length: number) => ({ search: "x".repeat(length) });
    expect([await statusOf("n".repeat(nameMax), {}), await statusOf("n".repeat(nameMax + 1), {})]).toEqual([200, 422]);
    expect([await statusOf("n", value(valueMax)), await statusOf("n", value(valueMax + 1))]).toEqual([200, 422]);
    expect([await statusOf(" ", {}), await statusOf("n", { limit: "9" }), await statusOf("n", { env: "" })]).toEqual([
      422, 422, 422,
    ]);
  });

  it("are as many as a member may have", async () => {
    const have = (await list(grace)).length;
    for (let count = have; count < viewLimits.viewsPerMemberMax; count++) {
      expect((await send("POST", "", { name: "n", filter: {} }, grace)).statusCode).toBe(200);
    }
    const refused = await send("POST", "", { name: "n", filter: {} }, grace);
    expect([refused.statusCode, refused.json().code]).toEqual([409, "WHENCE_ERR_VIEWS_FULL"]);
  });
});
