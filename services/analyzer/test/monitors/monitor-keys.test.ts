import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInMember } from "../test-service.ts";
import { startMonitored } from "./monitored.ts";

let started: Awaited<ReturnType<typeof startMonitored>>;
let keys: Record<"full" | "read" | "send", string>;

beforeAll(async () => {
  started = await startMonitored();
  const made = await Promise.all((["full", "read", "send"] as const).map(async (scope) => [scope, await keyOf(scope)]));
  keys = Object.fromEntries(made);
});
afterAll(() => started.service.close());

async function keyOf(scope: string): Promise<string> {
  const payload = { name: `ci ${scope}`, scope };
  const answer = await started.service.app.inject({
    ...{ method: "POST", url: "/api/keys", headers: { cookie: started.acme.cookie }, payload },
  });
  return answer.json().api_key;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";
const ask = (key: string, method: Method, path = "", payload?: object) =>
  started.service.app.inject({
    ...{ method, url: `/api/monitors${path}`, headers: { "x-api-key": key } },
    ...(payload && { payload }),
  });
const nightly = (name: string) => ({
  name,
  check: { kind: "check-in", slug: `s${randomBytes(4).toString("hex")}`, schedule: { type: "interval", minutes: 60 } },
});

describe("a key with the scope full", () => {
  it("creates, changes, pauses, resumes, and deletes monitors, and the audit log names it", async () => {
    const created = await ask(keys.full, "POST", "", nightly("Backup"));
    expect(created.statusCode).toBe(200);
    const { monitor, check_in_key: checkInKey } = created.json();
    expect(monitor.created_by.name).toBe("ci full");
    expect(checkInKey).toMatch(/^whm_/);
    const { check } = monitor;
    expect((await ask(keys.full, "PUT", `/${monitor.id}`, { name: "Nightly", check })).json().name).toBe("Nightly");
    expect((await ask(keys.full, "POST", `/${monitor.id}/pause`)).json().state).toBe("paused");
    expect((await ask(keys.full, "POST", `/${monitor.id}/resume`)).json().state).toBe("waiting");
    expect((await ask(keys.full, "DELETE", `/${monitor.id}`)).json()).toEqual({ id: monitor.id });
    const audit = await started.service.app.inject({ url: "/api/audit", headers: { cookie: started.acme.cookie } });
    const entries: { action: string; actor: { name: string } }[] = audit.json().entries;
    expect(entries.slice(0, 5).map(({ action, actor }) => [action, actor.name])).toEqual([
      ["monitor.deleted", "ci full"],
      ["monitor.resumed", "ci full"],
      ["monitor.paused", "ci full"],
      ["monitor.changed", "ci full"],
      ["monitor.created", "ci full"],
    ]);
  });

  it("neither tests a monitor nor replaces the key of its check-ins", async () => {
    const { id } = (await ask(keys.full, "POST", "", nightly("Report"))).json().monitor;
    for (const path of [`/${id}/test`, `/${id}/key`]) expect((await ask(keys.full, "POST", path)).statusCode).toBe(401);
  });
});

it("is needed for a change: keys that read only list, keys that send do neither, and members aren't owners", async () => {
  const { id } = (await ask(keys.full, "POST", "", nightly("Export"))).json().monitor;
  expect((await ask(keys.read, "GET")).json().monitors).toContainEqual(expect.objectContaining({ id }));
  expect((await ask(keys.read, "GET", `/${id}/results`)).json()).toEqual({ results: [] });
  expect((await ask(keys.read, "POST", `/${id}/pause`)).json().code).toBe("WHENCE_ERR_KEY_SCOPE");
  expect((await ask(keys.send, "GET")).statusCode).toBe(403);
  const member = await signInMember(started.service, started.acme.id, "member@acme.example", "member");
  expect((await started.ask("POST", `/${id}/pause`, undefined, member)).body.code).toBe("WHENCE_ERR_OWNER_ONLY");
  const theirs = await started.fresh();
  const foreign = { "x-api-key": theirs.acme.key };
  const read = await started.service.app.inject({ url: `/api/monitors/${id}`, headers: foreign });
  expect(read.statusCode).toBe(404);
});
