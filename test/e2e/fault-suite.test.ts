import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults } from "../../bench/faults/catalogue/faults.ts";
import type { Fault } from "../../bench/faults/fault.ts";
import { runFault } from "../../bench/faults/run-fault.ts";
import { scoreOf } from "../../bench/faults/score.ts";
import { copyShop } from "../../bench/faults/shop-copy.ts";
import { TelemetryTap } from "../../bench/faults/telemetry-tap.ts";
import { Turns } from "../../bench/faults/turns.ts";
import { Whence } from "../../bench/faults/whence.ts";
import { readRepositoryFile } from "../repository-files.ts";

const opened = new AsyncDisposableStack();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-fault-suite-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
});
afterAll(() => opened.disposeAsync());

describe("the suite of faults", () => {
  it("has at least 24 faults, about half of them with decoys", () => {
    expect(faults.length).toBeGreaterThanOrEqual(24);
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    const share = faults.filter(({ decoys }) => decoys.length > 0).length / faults.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.65);
  });

  it("describes each of them", () => {
    const page = readRepositoryFile("docs/faults.md");
    expect(faults.filter(({ name, plays }) => !page.includes(`\`${name}\``) || !page.includes(plays))).toEqual([]);
  });

  it("changes lines that exist in the shop", async () => {
    const edits = faults.flatMap(({ name, inject }) =>
      inject.flatMap((one) => (one.kind === "deploy" ? [{ name, edits: one.edits ?? [] }] : [])),
    );
    for (const release of edits) {
      const copy = await copyShop(join(folder, `release-${release.name}`));
      for (const edit of release.edits) await copy.change(edit);
    }
  });

  it("finds the responsible service: a failed release, a third party, and a rare input", {
    timeout: 300_000,
  }, async () => {
    const named = ["nothing-found", "page-instead-of-label", "old-cookie"].map(faultNamed);
    const whence = opened.use(await Whence.start(join(folder, "whence")));
    const tap = opened.use(await TelemetryTap.open(whence.url));
    const { signal } = new AbortController();
    const bench = { whence, tap, folder, seed: 1, starts: new Turns(), signal };
    const runs = named.map((fault) => runFault(fault, 1, bench));
    const scores = (await Promise.all(runs)).map(scoreOf);
    expect(scores.map(({ fault, suspected }) => ({ fault, suspected: suspected[0] }))).toEqual([
      { fault: "nothing-found", suspected: "catalog" },
      { fault: "page-instead-of-label", suspected: "shipping" },
      { fault: "old-cookie", suspected: "storefront" },
    ]);
    expect(scores.filter(({ isFileFirst }) => isFileFirst).length).toBeGreaterThanOrEqual(2);
    for (const { incidents, reportMs, loudest } of scores) {
      expect(incidents).toBeGreaterThan(0);
      expect(reportMs).toBeGreaterThan(0);
      expect(loudest).not.toBeNull();
    }
  });
});

function faultNamed(name: string): Fault {
  const fault = faults.find((one) => one.name === name);
  if (!fault) throw new Error(`there is no fault ${name}`);
  return fault;
}
