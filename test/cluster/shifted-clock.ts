import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "./cluster.ts";
import type { RoleOptions, RoleProcess } from "./role-process.ts";

/** Roles whose wall clock can be set while they run; monotonic clocks aren't affected. */
export interface ShiftedClock {
  setBack(seconds: number): Promise<void>;
  /** Restores the ordinary roles. */
  stop(): Promise<void>;
}

interface Replaced {
  readonly ordinary: RoleProcess;
  readonly shifted: RoleProcess;
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
  const replace = async (kind: RoleOptions["role"], [, ordinary]: readonly RoleProcess[]): Promise<Replaced> => {
    if (ordinary === undefined) throw new Error(`there is no second ${kind}`);
    await ordinary.end("SIGTERM");
    const shifted = await role(`${kind}-shifted`, { role: kind, port: ordinary.port, environment });
    await shifted.start();
    return { ordinary, shifted };
  };
  const replaced = await Promise.all([
    replace("gateway", gateways),
    replace("writer", writers),
    replace("analyzer", analyzers),
  ]);
  return {
    setBack: set,
    async stop() {
      await Promise.all(replaced.map(restore));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function restore({ ordinary, shifted }: Replaced): Promise<void> {
  await shifted.end("SIGTERM");
  await ordinary.start();
}

function faketimeLibrary(): string {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (library === undefined) throw new Error("libfaketime is not installed: apt-get install faketime");
  return library;
}
