import { randomBytes } from "node:crypto";
import { dayMs, limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keptAfterExpiryMs, startExpirySweep } from "../../../src/consumers/expiry-sweep.ts";
import {
  makeOrganization,
  serviceRetentionDays,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
  testReserveBytes,
} from "../../test-service.ts";

/** 128 MiB are sent. */
const fillMs = 60_000;

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

/** Text that takes as many bytes once it is compressed, and a third more as it is sent. */
function incompressible(bytes: number): string {
  return randomBytes(bytes).toString("base64");
}

function analyze(key: string, errorLog: string, files: readonly { name: string; content: string }[] = []) {
  return service.app.inject({
    ...{ method: "POST", url: "/api/mcp/analyze", headers: { "x-api-key": key } },
    payload: { error_log: errorLog, files },
  });
}

async function registerAgent(): Promise<string> {
  const answer = await service.app.inject({ method: "POST", url: "/api/agents/register", payload: { source: "a" } });
  return answer.json().api_key;
}

/** Sends as much as fits, in requests of the largest size that a stranger may send, and returns the refusal. */
async function fill(key: string, requestBytes: number, requestsMax: number) {
  for (let count = 0; count < requestsMax; count += 1) {
    const files = Array.from({ length: Math.ceil(requestBytes / 700_000) }, (_, index) => ({
      ...{ name: `${index}.txt`, content: incompressible(Math.min(requestBytes, 700_000)) },
    }));
    const answer = await analyze(key, "Error: boom", files);
    if (answer.statusCode !== 200) return { answer, count };
  }
  throw new Error("everything was taken");
}

async function usage(cookie = acme.cookie): Promise<number> {
  return (await service.app.inject({ url: "/api/organization", headers: { cookie } })).json().usage.input_bytes;
}

describe("stored inputs", () => {
  it("of an unclaimed agent are limited, and the response says to claim it or to send less", async () => {
    const key = await registerAgent();
    const { answer, count } = await fill(key, 1_400_000, 20);
    expect([answer.statusCode, answer.json().code]).toEqual([413, "WHENCE_ERR_AGENT_INPUT_QUOTA"]);
    expect(answer.json().detail).toMatch(/4194304 bytes.*claim the agent, or send less/);
    expect(count).toBe(2);
    expect((await analyze(key, "Error: small")).statusCode).toBe(200);
  });

  it(
    "of one key are limited, while another key of the organization has room",
    async () => {
      const organization = await makeOrganization(service, "busy");
      const { answer, count } = await fill(organization.key, 14_000_000, 20);
      expect([answer.statusCode, answer.json().code]).toEqual([413, "WHENCE_ERR_KEY_INPUT_QUOTA"]);
      expect(count).toBe(Math.floor(limits.keyInputBytesMax / 14_000_000));
      expect(await usage(organization.cookie)).toBeLessThanOrEqual(limits.keyInputBytesMax);
      const pasted = { method: "POST", url: "/api/analyze", headers: { cookie: organization.cookie } } as const;
      expect((await service.app.inject({ ...pasted, payload: { error_log: "Error" } })).statusCode).toBe(200);
    },
    fillMs,
  );

  it("of an organization are limited by its owner's setting, and shown with its usage", async () => {
    const organization = await makeOrganization(service, "small");
    const settings = {
      retention_days: null,
      events_per_day: null,
      input_bytes_max: 1_048_576,
      plain_users: false,
      passwords_off: false,
    };
    const put = { method: "PUT", url: "/api/organization", headers: { cookie: organization.cookie } } as const;
    await service.app.inject({ ...put, payload: { settings } });
    const { answer } = await fill(organization.key, 400_000, 5);
    expect([answer.statusCode, answer.json().code]).toEqual([413, "WHENCE_ERR_ORGANIZATION_INPUT_QUOTA"]);
    expect(await usage(organization.cookie)).toBeGreaterThan(700_000);
    await service.app.inject({ ...put, payload: { settings: { ...settings, input_bytes_max: 2_000_000 } } });
    expect((await analyze(organization.key, incompressible(400_000))).statusCode).toBe(200);
    expect(await service.registry.metrics()).toContain('whence_inputs_refused_total{reason="organization"} 1');
  });

  it("take a fraction of the disk space of their text", async () => {
    const before = await usage();
    const source = "export function total(items) { return items.reduce((sum, item) => sum + item.price, 0); }\n";
    const content = source.repeat(10_000);
    await analyze(acme.key, "TypeError", [{ name: "total.js", content }]);
    expect((await usage()) - before).toBeLessThan(content.length / 100);
  });

  it("expire with the service's retention, after which the incident can't be investigated again but still exists", async () => {
    const organization = await makeOrganization(service, "old");
    const { incident_id: id } = (await analyze(organization.key, "Error: old")).json();
    const { incidents } = service.control.scope(organization.id);
    const attempt = (await incidents.begin(id, new Date(service.clock.now))) ?? 0;
    await incidents.fail(id, attempt, { code: "X", message: "y" }, new Date(service.clock.now));
    service.clock.now += serviceRetentionDays * dayMs + keptAfterExpiryMs;
    const sweep = startExpirySweep({
      ...{ control: service.control, events: service.events, logger: silent },
      ...{ clock: () => service.clock.now, retentionDays: serviceRetentionDays },
    });
    await expect.poll(() => usage(organization.cookie)).toBe(0);
    await sweep.stop();
    const headers = { "x-api-key": organization.key };
    const rerun = await service.app.inject({ method: "POST", url: `/api/incidents/${id}/rerun`, headers });
    expect([rerun.statusCode, rerun.json().code]).toEqual([409, "WHENCE_ERR_INPUT_REMOVED"]);
    expect((await service.app.inject({ url: `/api/incidents/${id}`, headers })).statusCode).toBe(200);
  });

  it("are rejected while the disk is nearly full: those of unclaimed agents first, then all", async () => {
    const agentKey = await registerAgent();
    const codes = async () => [
      (await analyze(agentKey, "Error")).json().code,
      (await analyze(acme.key, "Error")).json().code,
    ];
    service.disk.freeBytes = testReserveBytes;
    expect(await codes()).toEqual([undefined, undefined]);
    service.disk.freeBytes = testReserveBytes - 1;
    expect(await codes()).toEqual(["WHENCE_ERR_DISK_RESERVED", undefined]);
    service.disk.freeBytes = testReserveBytes / 2 - 1;
    expect(await codes()).toEqual(["WHENCE_ERR_DISK_RESERVED", "WHENCE_ERR_DISK_RESERVED"]);
    const refused = await analyze(acme.key, "Error");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([507, "60"]);
    service.disk.freeBytes = 10 * testReserveBytes;
    expect(await codes()).toEqual([undefined, undefined]);
  });
});
