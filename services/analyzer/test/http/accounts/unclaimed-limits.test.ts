import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeOrganization, startTestService, type TestService } from "../../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ unclaimedAgentOpenAnalysesMax: 2, unclaimedAnalysesPerHourPerAddress: 3 });
});
afterAll(() => service.close());

const post = (url: string, payload: object, key?: string, remoteAddress = "10.0.0.1") =>
  service.app.inject({
    ...{ method: "POST", url, payload, remoteAddress },
    headers: key === undefined ? {} : { "x-api-key": key },
  });
const register = async (): Promise<string> => (await post("/api/agents/register", { source: "a" })).json().api_key;
const analyze = (key: string, address: string) => post("/api/mcp/analyze", { error_log: "E" }, key, address);

describe("unclaimed agents", () => {
  it("have a limit of running analyses each, and a response that says when to retry", async () => {
    const key = await register();
    const answers = [await analyze(key, "10.0.1.1"), await analyze(key, "10.0.1.1"), await analyze(key, "10.0.1.1")];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429]);
    expect(answers[2]?.json().code).toBe("WHENCE_ERR_AGENT_BUSY");
    expect(answers[2]?.headers["retry-after"]).toBe("10");
    expect((await analyze(await register(), "10.0.1.2")).statusCode).toBe(200);
  });

  it("share a limit of analyses per hour behind one address", async () => {
    const keys = [await register(), await register()];
    const [one = "", other = ""] = keys;
    for (const key of [one, one, other]) expect((await analyze(key, "10.0.2.1")).statusCode).toBe(200);
    const refused = await analyze(other, "10.0.2.1");
    expect([refused.statusCode, refused.json().code]).toEqual([429, "WHENCE_ERR_RATE_LIMITED"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await analyze(other, "10.0.2.2")).statusCode).toBe(200);
  });

  it("use the same limit when they have an incident investigated again", async () => {
    const key = await register();
    const { incident_id: id } = (await analyze(key, "10.0.3.1")).json();
    const again = () => post(`/api/incidents/${id}/rerun`, {}, key, "10.0.3.1");
    expect([(await again()).statusCode, (await again()).statusCode]).toEqual([409, 409]);
    expect((await again()).json().code).toBe("WHENCE_ERR_RATE_LIMITED");
  });

  it("use nothing of the limit of an organization behind the same address", async () => {
    const { key } = await makeOrganization(service, "acme");
    for (let count = 0; count < 5; count++) expect((await analyze(key, "10.0.2.1")).statusCode).toBe(200);
  });
});
