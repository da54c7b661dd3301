import { modelChangeSchema, modelStatusSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const model = modelChangeSchema.parse({
  ...{ provider: "ollama", name: "qwen", inputs: { base_url: "http://127.0.0.1:1" } },
});

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService({}, false, {}, false, true, {}, {}, undefined, model);
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const send = (method: "GET" | "PUT", url: string, payload?: object, cookie = acme.cookie) =>
  service.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) });
const read = async () => modelStatusSchema.parse((await send("GET", "/api/model")).json());
const decide = (use: boolean, cookie = acme.cookie) => send("PUT", "/api/model/installation", { use }, cookie);

describe("the model of the installation", () => {
  it("is used by an organization without its own until an owner refuses it, and again once one accepts it", async () => {
    expect(await read()).toMatchObject({ source: "installation", installation: { offered: true, refused: null } });
    for (const use of [false, false]) expect((await decide(use)).statusCode).toBe(200);
    expect(await read()).toMatchObject({
      ...{ source: null, model: null },
      installation: { offered: true, refused: { at: expect.any(String), by: { name: expect.any(String) } } },
    });
    await decide(true);
    expect(await read()).toMatchObject({ source: "installation", installation: { refused: null } });
    const audit = (await send("GET", "/api/audit")).json().entries;
    const actions = audit.map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(["model.accepted", "model.refused"]);
  });

  it("is refused by owners only, for their organization only", async () => {
    const member = await signInMember(service, acme.id, "second@acme.example", "member");
    expect((await decide(false, member)).statusCode).toBe(403);
    const other = await makeOrganization(service, "other");
    await decide(false, other.cookie);
    expect((await read()).source).toBe("installation");
  });
});
