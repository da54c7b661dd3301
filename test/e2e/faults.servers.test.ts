import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, clusterKey, startCluster } from "../cluster/cluster.ts";
import { faults } from "../cluster/faults.ts";
import { deliveryAccount } from "../cluster/outcome.ts";
import { runFault } from "../cluster/run-fault.ts";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster?.stop();
});

describe("a fleet under load", () => {
  it.each(faults)("stores each acknowledged event once and opens each incident once: $name", async (fault) => {
    const { acknowledged, stored, lost, duplicated, failures, incidents, instance } = await runFault(cluster, fault);
    expect({ stored, lost, duplicated, incidents }).toEqual({
      ...{ stored: acknowledged, lost: 0, duplicated: 0 },
      incidents: failures,
    });
    expect(acknowledged).toBeGreaterThan(100);
    expect(failures).toBeGreaterThan(1);
    expect(await deliveryAccount(cluster.url, clusterKey, instance)).toMatchObject({
      ...{ received: acknowledged, last_seq: acknowledged, missing_events: 0 },
    });
  });
});
