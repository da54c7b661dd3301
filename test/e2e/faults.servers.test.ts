import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, clusterKey, startCluster } from "../cluster/cluster.ts";
import { faults } from "../cluster/faults.ts";
import { deliveryAccount } from "../cluster/outcome.ts";
import { runFault } from "../cluster/run-fault.ts";
import { eventually } from "./server-process.ts";

/** What a process had in hand when it hung comes again when its hold ends. */
const holdDeadlineMs = 90_000;

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

  it("leaves nothing behind: no message waits or is held, and none is dead", async () => {
    const left = await eventually("the end of every hold", holdDeadlineMs, async () => {
      const metrics = await (await fetch(`${cluster.gateways[0]?.url}/metrics`)).text();
      const counts = metrics.split("\n").filter((line) => /^whence_queue_(pending|held|dead_letters)\{/.test(line));
      const isOver = counts.every((line) => line.includes("dead_letters") || line.endsWith(" 0"));
      return isOver ? counts : undefined;
    });
    expect(left.length).toBe(9);
    expect(left.filter((line) => !line.endsWith(" 0"))).toEqual([]);
  });
});
