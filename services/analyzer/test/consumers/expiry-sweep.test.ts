import { createHash } from "node:crypto";
import { dayMs, limits } from "@whence/protocol";
import type { ControlDb } from "@whence/storage";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keptAfterExpiryMs, startExpirySweep, sweepIntervalMs } from "../../src/consumers/expiry-sweep.ts";
import { storedEvent } from "../stored-event.ts";
import { silent, startTestService, type TestService } from "../test-service.ts";

const removedAfterMs = limits.unclaimedAgentLifetimeMs + keptAfterExpiryMs;

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

async function register(): Promise<string> {
  const answer = await service.app.inject({ method: "POST", url: "/api/agents/register", payload: { source: "a" } });
  const { api_key } = answer.json();
  const headers = { "x-api-key": api_key };
  await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload: { error_log: "E" } });
  return api_key;
}

/** The error code for a key: one of an expired agent has expired, one of a removed agent is unknown. */
async function codeFor(key: string): Promise<string> {
  return (await service.app.inject({ url: "/api/agents/status", headers: { "x-api-key": key } })).json().code;
}

const startSweep = (control: Partial<ControlDb> = {}) =>
  startExpirySweep({
    ...{ control: { ...service.control, ...control }, events: service.events, logger: silent },
    ...{ clock: () => service.clock.now, retentionDays: 30 },
  });

describe("the expiry sweep", () => {
  it("removes an unclaimed agent a day after it expired and not a millisecond earlier", async () => {
    const key = await register();
    service.clock.now += removedAfterMs;
    await startSweep().stop();
    expect(await codeFor(key)).toBe("WHENCE_ERR_KEY_EXPIRED");
    service.clock.now += 1;
    const sweep = startSweep();
    await expect.poll(() => codeFor(key)).toBe("WHENCE_ERR_KEY_UNKNOWN");
    await sweep.stop();
  });

  it("removes all of them in steps, next to another sweep", async () => {
    const keys: string[] = [];
    for (let count = 0; count < 45; count += 1) keys.push(await register());
    service.clock.now += removedAfterMs + 1;
    const sweeps = [startSweep(), startSweep()];
    const codes = async () => new Set(await Promise.all(keys.map(codeFor)));
    await expect.poll(codes).toEqual(new Set(["WHENCE_ERR_KEY_UNKNOWN"]));
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
  });

  it("removes the sources and the report of a release that didn't run for as long as telemetry is kept", async () => {
    // The event store removes what is old by the real time.
    service.clock.now = Date.now() - 30 * dayMs;
    const { id: scopeId } = await service.control.organizations.ensure({
      ...{ slug: "acme", name: "acme", now: new Date(service.clock.now) },
    });
    const { sources, releases: reports } = service.control.scope(scopeId);
    const uploadedAt = new Date(service.clock.now);
    await sources.addContents(["code"], 1e9, uploadedAt);
    const files = [{ path: "a.js", sha256: createHash("sha256").update("code").digest("hex") }];
    const room = { releasesPerServiceMax: 10, bytesMax: 1e9 };
    for (const release of ["silent", "running"]) {
      await sources.put({ service: "orders", release, commit: null, files, keyId: "key_ci", now: uploadedAt }, room);
      const live = { service: "orders", release, env: "PROD", commit: null, url: null };
      await reports.report({ ...live, reportedBy: "key_ci" }, uploadedAt, 10);
    }
    const releases = async () => {
      const [uploaded, reported] = [await sources.list(), await reports.list()].map((all) =>
        all.map(({ release }) => release).toSorted(),
      );
      expect(reported).toEqual(uploaded);
      return uploaded;
    };
    service.clock.now += 30 * dayMs;
    const { event } = storedEvent(scopeId);
    const timestamp = new Date(service.clock.now - dayMs).toISOString();
    const release = "shop@running+1a2b3c4";
    await service.events.insert([
      storedEvent(scopeId, { event: { ...event, timestamp }, release, receivedAt: timestamp }),
    ]);
    await startSweep().stop();
    expect(await releases()).toEqual(["running", "silent"]);
    service.clock.now += 1;
    await startSweep().stop();
    expect(await releases()).toEqual(["running"]);
    expect(await sources.content(files[0]?.sha256 ?? "")).toBe("code");
  });

  it("runs again every few minutes, even after one that failed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const key = await register();
      let failures = 1;
      const sometimes = (expiredBefore: Date, max: number): Promise<number> => {
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error("away")) : service.control.sweep(expiredBefore, max);
      };
      const sweep = startSweep({ sweep: sometimes });
      service.clock.now += removedAfterMs + 1;
      await expect.poll(() => failures).toBe(0);
      expect(await codeFor(key)).toBe("WHENCE_ERR_KEY_EXPIRED");
      vi.advanceTimersByTime(sweepIntervalMs);
      await expect.poll(() => codeFor(key)).toBe("WHENCE_ERR_KEY_UNKNOWN");
      await sweep.stop();
    } finally {
      vi.useRealTimers();
    }
  });
});
