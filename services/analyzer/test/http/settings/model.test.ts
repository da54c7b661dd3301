import { createServer, type Server } from "node:http";
import { modelStatusSchema } from "@whence/protocol";
import { addressGuard } from "@whence/vendors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../../src/analysis/from-text.ts";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const key = "sk-very-secret";
/** What the double of a model's server answers next. */
let status = 200;
const answer = {
  ...{ id: "c1", object: "chat.completion", created: 1, model: "qwen" },
  choices: [{ index: 0, message: { role: "assistant", content: "ready" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
};

let provider: Server;
let address: string;
const asked: { readonly authorization: string | undefined; readonly body: string }[] = [];
let service: TestService;
let acme: TestOrganization;
let memberCookie: string;

beforeAll(async () => {
  provider = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push({ authorization: request.headers.authorization, body: Buffer.concat(chunks).toString() });
      const body = status === 200 ? answer : { error: { message: `bad key ${key}` } };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const bound = provider.address();
  address = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : ""}/v1`;
  const integrations = { mayReach: addressGuard(["127.0.0.0/8"]) };
  service = await startTestService({}, false, {}, false, true, integrations);
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "second@acme.example", "member");
});
afterAll(async () => {
  await service.close();
  await new Promise((resolve) => provider.close(resolve));
});

const send = (method: "GET" | "PUT" | "POST" | "DELETE", url: string, payload?: object, cookie = acme.cookie) =>
  service.app.inject({ method, url, headers: { cookie }, ...(payload && { payload }) });
const change = (over: object = {}) => ({
  ...{ provider: "openai-compatible", name: "qwen", inputs: { base_url: address, api_key: key } },
  ...over,
});

describe("the model of an organization", () => {
  it("isn't configured at first, so there is nothing to check or remove", async () => {
    const read = await send("GET", "/api/model");
    expect(modelStatusSchema.parse(read.json())).toMatchObject({ source: null, model: null, used_up: null });
    expect((await send("POST", "/api/model/check")).json().code).toBe("WHENCE_ERR_MODEL_NOT_CONNECTED");
    expect((await send("DELETE", "/api/model")).json().code).toBe("WHENCE_ERR_MODEL_NOT_CONNECTED");
  });

  it("is connected by an owner, read by members, and shows no credential to anyone", async () => {
    expect((await send("PUT", "/api/model", change(), memberCookie)).statusCode).toBe(403);
    const put = await send("PUT", "/api/model", change());
    const read = await send("GET", "/api/model", undefined, memberCookie);
    expect(read.json()).toEqual(put.json());
    expect(read.json()).toMatchObject({
      source: "organization",
      model: { name: "qwen", inputs: { base_url: address }, credentials: ["api_key"], budget: { usd_per_day: null } },
    });
    expect(`${put.body}${read.body}`).not.toContain(key);
  });

  it("answers a check, with the stored key", async () => {
    const checked = await send("POST", "/api/model/check");
    expect([checked.statusCode, checked.json()]).toMatchObject([200, { input_tokens: 12, output_tokens: 3 }]);
    expect(asked.at(-1)?.authorization).toBe(`Bearer ${key}`);
    expect((await send("POST", "/api/model/check", undefined, memberCookie)).statusCode).toBe(403);
  });

  it("counts a check in the day's use, and no check that was rejected", async () => {
    const used = async () => (await send("GET", "/api/model")).json().today;
    const before = await used();
    await send("POST", "/api/model/check");
    const after = await used();
    expect(after).toMatchObject({ investigations: before.investigations, input_tokens: before.input_tokens + 12 });
    expect(after.output_tokens).toBe(before.output_tokens + 3);
    status = 401;
    await send("POST", "/api/model/check");
    status = 200;
    expect(await used()).toEqual(after);
  });

  it("answers ten checks of a person a minute", async () => {
    const { cookie } = await makeOrganization(service, "eager");
    await send("PUT", "/api/model", change(), cookie);
    const codes: number[] = [];
    for (let checks = 0; checks < 11; checks += 1)
      codes.push((await send("POST", "/api/model/check", undefined, cookie)).statusCode);
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  it("says why a check failed, without the key", async () => {
    status = 401;
    const checked = await send("POST", "/api/model/check");
    status = 200;
    expect(checked.json()).toEqual({
      code: "WHENCE_ERR_MODEL_CHECK_FAILED",
      detail: "OpenAI-compatible server rejected the credentials: enter valid ones",
    });
  });

  it("keeps its key when its budget changes, and not when its address does", async () => {
    const budget = { tokens_per_day: 5_000 };
    await send("PUT", "/api/model", change({ inputs: { base_url: address }, budget }));
    await send("POST", "/api/model/check");
    expect(asked.at(-1)?.authorization).toBe(`Bearer ${key}`);
    await send("PUT", "/api/model", change({ inputs: { base_url: address.replace("127.0.0.1", "127.0.0.2") } }));
    const read = await service.control.scope(acme.id).model.read();
    expect(read?.inputs).toEqual({ base_url: address.replace("127.0.0.1", "127.0.0.2") });
  });

  it.each([
    [{ provider: "other" }, "provider"],
    [{ name: "two words" }, "name"],
    [{ provider: "anthropic", inputs: {} }, "api_key"],
    [{ inputs: { base_url: "file:///etc/passwd" } }, "base_url"],
    [{ inputs: { base_url: "http://a", other: "x" } }, "other"],
    [{ budget: { usd_per_day: 1 } }, "prices"],
  ])("is refused with %j", async (over, field) => {
    const refused = await send("PUT", "/api/model", change(over));
    expect([refused.statusCode, JSON.stringify(refused.json().detail)]).toEqual([422, expect.stringContaining(field)]);
  });

  it("isn't stored when it can never be opened", async () => {
    const before = (await send("GET", "/api/model")).json();
    const inputs = { access_key_id: "AKIAEXAMPLE", secret_access_key: key, region: "Frankfurt" };
    const refused = await send("PUT", "/api/model", change({ provider: "amazon-bedrock", inputs }));
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      {
        code: "WHENCE_ERR_MODEL_REFUSED",
        detail: "the region isn't a name such as eu-central-1. Nothing was stored",
      },
    ]);
    expect((await send("GET", "/api/model")).json()).toEqual(before);
  });

  it("says when the day's budget is used up, rather than looking switched off", async () => {
    await send("PUT", "/api/model", change({ budget: { tokens_per_day: 1_000 } }));
    const startedAt = new Date(service.clock.now).toISOString();
    await service.control.scope(acme.id).model.record({
      ...{
        incident_id: "inc_gone",
        purpose: "investigation",
        provider: "ollama",
        name: "qwen",
        runs: 1,
        input_tokens: 900,
        output_tokens: 100,
      },
      ...{ cost_usd: null, started_at: startedAt, duration_ms: 1, outcome: "answered", replaced: {}, prompts: [] },
    });
    expect((await send("GET", "/api/model")).json()).toMatchObject({
      ...{ source: "organization", used_up: "tokens" },
      today: { investigations: 1, cost_usd: null, known_cost_usd: 0 },
    });
    const before = asked.length;
    expect((await send("POST", "/api/model/check")).json()).toMatchObject({
      ...{ code: "WHENCE_ERR_MODEL_BUDGET_USED_UP", detail: expect.stringContaining("today's tokens") },
    });
    expect(asked).toHaveLength(before);
  });

  it("is removed with its credentials, on record", async () => {
    expect((await send("DELETE", "/api/model")).json()).toMatchObject({ source: null, model: null });
    expect(await service.control.scope(acme.id).secrets.get("model")).toBeNull();
    const audit = (await send("GET", "/api/audit")).json().entries.map((entry: { action: string }) => entry.action);
    expect(audit).toEqual(expect.arrayContaining(["model.connected", "model.disconnected"]));
  });
});

describe("what was sent to a model", () => {
  it("is read by owners, of their organization only", async () => {
    const { incidents, model } = service.control.scope(acme.id);
    const now = new Date(service.clock.now);
    const { id } = await incidents.open(incidentFromText(await askedText("Error: boom", []), null, now));
    await model.record({
      ...{
        incident_id: id,
        purpose: "investigation",
        provider: "ollama",
        name: "qwen",
        runs: 1,
        input_tokens: 9,
        output_tokens: 1,
      },
      ...{ cost_usd: null, started_at: now.toISOString(), duration_ms: 1, outcome: "answered", replaced: { email: 1 } },
      prompts: [{ sent_at: now.toISOString(), text: "Mail to [email 1]" }],
    });
    const { runs } = (await send("GET", `/api/model/runs?incident_id=${id}`, undefined, memberCookie)).json();
    expect(runs).toMatchObject([{ incident_id: id, replaced: { email: 1 }, outcome: "answered" }]);
    const url = `/api/model/runs/${runs[0].id}/prompts`;
    expect((await send("GET", url)).json().prompts).toMatchObject([{ text: "Mail to [email 1]", is_cut: false }]);
    expect((await send("GET", url, undefined, memberCookie)).statusCode).toBe(403);
    const other = await makeOrganization(service, "other");
    expect((await send("GET", url, undefined, other.cookie)).json().code).toBe("WHENCE_ERR_MODEL_RUN_UNKNOWN");
  });
});
