import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, clusterKey, startCluster } from "../cluster/cluster.ts";
import { type Fault, faults } from "../cluster/faults.ts";
import { leftBehind, nothing } from "../cluster/left-behind.ts";
import { deliveryAccount } from "../cluster/outcome.ts";
import { runFault } from "../cluster/run-fault.ts";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster?.stop();
});

async function comeThrough(fault: Fault): Promise<void> {
  const { acknowledged, stored, lost, duplicated, failures, incidents, instance } = await runFault(cluster, fault);
  expect({ stored, lost, duplicated, incidents }).toEqual({
    stored: acknowledged,
    lost: 0,
    duplicated: 0,
    incidents: failures,
  });
  expect(acknowledged).toBeGreaterThan(100);
  expect(failures).toBeGreaterThan(1);
  expect(await deliveryAccount(cluster.url, clusterKey, instance)).toMatchObject({
    received: acknowledged,
    last_seq: acknowledged,
    missing_events: 0,
  });
}

describe("a process of any role", () => {
  it("answers an unknown path with the documented body", async () => {
    for (const { address } of [...cluster.gateways, ...cluster.writers, ...cluster.analyzers]) {
      const answer = await fetch(`http://${address}/api/nowhere`);
      const body: unknown = await answer.json();
      expect([answer.status, body]).toEqual([
        404,
        { detail: "there is no GET /api/nowhere", code: "WHENCE_ERR_ROUTE_UNKNOWN" },
      ]);
    }
  });
});

describe("a fleet under load", () => {
  it.each(faults)("stores each acknowledged event once and opens each incident once: $name", comeThrough);

  it("leaves nothing behind: no message is pending, held, or dead, and no writer holds one", async () => {
    expect(await leftBehind(cluster)).toEqual(nothing);
  });
});
