import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "./cluster.ts";
import type { RoleProcess } from "./role-process.ts";

/** Roles whose wall clock can be set while they run; monotonic clocks aren't affected. */
export interface ShiftedClock {
  setBack(seconds: number): Promise<void>;
  /** Restores the ordinary roles. */
  stop(): Promise<void>;
}

/** Replaces one process of each role by one with its own clock. */
export async function startShiftedClock({ gateways, writers, analyzers, role }: Cluster): Promise<ShiftedClock> {
  const folder = await mkdtemp(join(tmpdir(), "whence-clock-"));
  const file = join(folder, "clock");
  const set = (seconds: number): Promise<void> => writeFile(file, `-${seconds}s\n`);
  await set(0);
  const environment = {
    LD_PRELOAD: faketimeLibrary(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const replaced: { readonly ordinary: RoleProcess; readonly shifted: RoleProcess }[] = [];
  for (const [kind, ordinary] of [
    ["gateway", gateways[1]],
    ["writer", writers[1]],
    ["analyzer", analyzers[1]],
  ] as const) {
    if (ordinary === undefined) continue;
    await ordinary.end("SIGTERM");
    const shifted = await role(`${kind}-shifted`, { role: kind, port: ordinary.port, environment });
    await shifted.start();
    replaced.push({ ordinary, shifted });
  }
  return {
    setBack: set,
    async stop() {
      for (const { ordinary, shifted } of replaced) {
        await shifted.end("SIGTERM");
        await ordinary.start();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function faketimeLibrary(): string {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (library === undefined) throw new Error("libfaketime is not installed: apt-get install faketime");
  return library;
}
