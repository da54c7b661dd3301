import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { minuteMs, type WatchAnswer, type WatchOrder } from "@whence/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startGateway, type TestGateway } from "../gateway.ts";
import { runtimeNamed } from "../runtimes.ts";
import { buildSdk, type SdkBuild } from "../sdk-build.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { signer } from "./signer.ts";

const program = join(import.meta.dirname, "../programs/watched-shop.cjs");
const file = join(import.meta.dirname, "../programs/watched-plan.cjs");
const digestOf = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
const sha256 = digestOf(readFileSync(file));
const place = { file: "programs/watched-plan.cjs", line: 6, function: "planOf", starts: 4, sha256 };
const ours = signer("org_1");
/** Answers to all batches of a program. */
const answersMax = 40;

let sdk: SdkBuild;
let folder: string;
let gateway: TestGateway;
let orders = 0;
beforeAll(async () => {
  sdk = await buildSdk();
  folder = await mkdtemp(join(tmpdir(), "whence-watched-"));
});
afterAll(async () => {
  await sdk.remove();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

function order(changes: Partial<WatchOrder> = {}): WatchOrder {
  const now = Date.now();
  orders += 1;
  return {
    ...{ id: `wat_${orders}`, organization: "org_1", service: "shop", env: "PROD", release: "7", places: [place] },
    ...{ issued_at: new Date(now).toISOString(), expires_at: new Date(now + minuteMs).toISOString() },
    ...changes,
  };
}

/** The answer to a batch. */
const answered = (watch?: unknown) => ({ status: 202, body: JSON.stringify({ accepted: 1, rejected: [], watch }) });

/** Runs the program against a gateway that answers each batch with an order; returns what it printed. */
async function runProgram(action: string, watch: WatchAnswer, env: Record<string, string> = {}, runtime = "26") {
  gateway.answers.push(...Array.from({ length: answersMax }, () => answered(watch)));
  const environment = { TMPDIR: temporaryFolder(), WHENCE_SDK: sdk.folder, WHENCE_ENDPOINT: gateway.url, ...env };
  return await new Promise<string>((resolve) => {
    execFile(runtimeNamed(runtime).path, [program, action], { env: environment }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error?.message ?? ""}`),
    );
  });
}

const watched = (message: string) =>
  gateway.events("exception").findLast((event) => event.message === message)?.watched;
const lastNote = () => gateway.batches.at(-1)?.watch;

describe.each(["18", "20", "26"])("watched places on Node %s", (runtime) => {
  // On a busy machine, the first stop may use up the time that all may take: a later program has it again.
  it("are read on the way to a failure, in its own job alone", async () => {
    const read = async () => {
      gateway.answers.length = 0;
      const asked = order({ places: [place, { ...place, line: 5 }] });
      const printed = await runProgram("serve", ours.signed(asked), { AWAITS: "armed" }, runtime);
      expect(printed).toMatch(/shown: \[ 'bb' \], ran: \[\]/);
      const { order: id, places, hits = [] } = watched("no plan for p9") ?? {};
      return {
        lines: printed.match(/watching programs/g)?.length,
        isOfOrder: id === asked.id,
        reached: places?.map(({ place: index, hits: times }) => [index, times]),
        hits: hits.map(({ kind, line, function: name }) => [kind, line, name]),
        last: [hits.at(-1)?.returned, hits.at(-1)?.values.found],
        later: watched("bye"),
        note: lastNote(),
        asked: asked.id,
      };
    };
    await expect
      .poll(async () => {
        const { asked, note, ...rest } = await read();
        return { ...rest, isArmed: note?.order === asked && note.state === "armed" };
      })
      .toEqual({
        lines: 1,
        isOfOrder: true,
        reached: [
          [0, 1],
          [1, 2],
        ],
        hits: [
          ["reached", 5, "planOf"],
          ["returned", 6, "planOf"],
        ],
        last: ["undefined", "undefined"],
        later: undefined,
        isArmed: true,
      });
  });
});

describe("watched places of a program in TypeScript that Node runs as it is", () => {
  const typed = `interface Customer { readonly id: string }
const plans = new Map<string, { readonly name: "größer" }>();
function planOf(customer: Customer): { readonly name: string } | undefined {
  const found = plans.get(customer.id);
  return found;
}
module.exports = { planOf };
`;
  /** `later` is what the file holds once it is loaded; empty where it is removed. */
  const run = async (changes: Partial<WatchOrder["places"][number]> = {}, later?: string) => {
    const path = join(folder, "programs/typed-plan.cts");
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typed);
    const typedPlace = { file: "programs/typed-plan.cts", line: 5, function: "planOf", starts: 3 };
    const asked = order({ places: [{ ...typedPlace, sha256: digestOf(typed), ...changes }] });
    await runProgram("serve", ours.signed(asked), {
      ...{ AWAITS: changes.sha256 ? "" : "armed", PLAN: path },
      ...(later !== undefined && { LATER: later }),
    });
  };

  it("are read where the text is the one that the report has read", async () => {
    await expect
      .poll(async () => {
        await run();
        return watched("no plan for p9")?.hits?.at(-1);
      })
      .toMatchObject({ line: 5, kind: "returned", returned: "undefined" });
  });

  it("are refused in another version", async () => {
    await run({ sha256: digestOf(`${typed}// later`) });
    expect(lastNote()).toMatchObject({ reason: "another version of programs/typed-plan.cts is running" });
  });

  it.each([
    ["is gone since it was loaded", "", digestOf(typed)],
    ["has another text by now, whatever digest the place has", "const gone = 1;\n", digestOf("")],
  ])("are refused where the file %s", async (_, later, digest) => {
    await run({ sha256: digest }, later);
    expect(lastNote()).toMatchObject({ reason: "another version of programs/typed-plan.cts is running" });
  });
});

describe("watched places", () => {
  it("run no code of the program, and keep no secret and no long text", async () => {
    const printed = await runProgram("secrets", ours.signed(order()), { AWAITS: "armed" });
    expect(printed).toMatch(/ran: \[\]/);
    const text = JSON.stringify(watched("no plan for p9"));
    expect(text).toContain("[text of 100000000 characters]");
    expect(text).toContain("[proxy]");
    expect(text).not.toMatch(/hunter2|AKIAABCD|DE89/);
  });

  it("are read in each failure of many under different names, one after the other", async () => {
    await expect
      .poll(async () => {
        await runProgram("serve many", ours.signed(order()), { AWAITS: "armed" });
        return [1, 2, 3, 4].filter((id) => watched(`no plan for p9${id}`)).length;
      })
      .toBeGreaterThan(1);
  });

  it("are in an error that was logged, and captured once its job was no longer watched", async () => {
    await expect
      .poll(async () => {
        await runProgram("log first", ours.signed(order()), { AWAITS: "armed" });
        return gateway.events("exception").findLast(({ message }) => message === "logged first");
      })
      .toMatchObject({ mechanism: { type: "captureException" }, watched: { places: [{ place: 0 }] } });
  });

  it("look first for the fields of objects that the order names", async () => {
    await expect
      .poll(async () => {
        await runProgram("serve", ours.signed(order({ places: [{ ...place, fields: ["id", "tier"] }] })), {
          AWAITS: "armed",
        });
        return watched("no plan for p9")?.hits.at(-1)?.values;
      })
      .toMatchObject({ customer: expect.stringMatching(/^\{"id": "p9", /) });
  });

  it("in a hot loop are left after twenty stops", async () => {
    const printed = await runProgram("loop", ours.signed(order()), { AWAITS: "armed" });
    expect(printed).toMatch(/shown: \[ 5, 5, 5, 1000000 \]/);
    const hits = watched("looped")?.places[0]?.hits ?? 0;
    expect(hits).toBe(20);
    expect(watched("looped")?.places[0]?.is_complete).toBe(false);
  });

  it("end with a call that returns a very long text", async () => {
    const large = { ...place, line: 20, function: "largeText", starts: 19 };
    const printed = await runProgram("large", ours.signed(order({ places: [large] })), { AWAITS: "armed" });
    expect(printed).toMatch(/shown: \[ 100000000 \]/);
    expect(lastNote()).toMatchObject({ state: "ended", reason: expect.stringContaining("100000000") });
  });

  it("end when a debugger may attach", async () => {
    await runProgram("debugger", ours.signed(order()), { AWAITS: "armed" });
    expect(lastNote()).toMatchObject({ state: "ended", reason: expect.stringContaining("debugger") });
    expect(watched("no plan for p9")?.hits ?? []).toEqual([]);
  });

  it("go on when an answer doesn't say whether they are asked for", async () => {
    const asked = order();
    gateway.answers.length = 0;
    gateway.answers.push(answered(ours.signed(asked)), answered(), answered(null), answered());
    await runProgram("serve", ours.signed(asked));
    expect(lastNote()).toEqual({ order: asked.id, state: "armed" });
  });

  it.each([{}, { key: ours.key, order: null }])("end when an answer says that none is asked for: %j", async (none) => {
    const asked = order();
    gateway.answers.length = 0;
    gateway.answers.push(answered(ours.signed(asked)), answered(none), answered(none), answered(none));
    await runProgram("serve", ours.signed(asked));
    expect(lastNote()).toMatchObject({
      order: asked.id,
      state: "ended",
      reason: expect.stringContaining("the service stopped it"),
    });
  });

  it("say that a newer order was refused once they end", async () => {
    const [asked, newer] = [order(), order({ release: "8" })];
    const none = { key: ours.key, order: null };
    gateway.answers.length = 0;
    gateway.answers.push(answered(ours.signed(asked)), answered(ours.signed(newer)), answered(none), answered(none));
    await runProgram("serve", { ...ours.signed(asked), order: null });
    expect(gateway.batches[2]?.watch).toMatchObject({ order: asked.id, state: "armed" });
    expect(lastNote()).toMatchObject({ order: newer.id, state: "refused", reason: expect.stringContaining("release") });
  });

  it.each([
    ["aren't armed in a program that writes stacks", "stacks", "refused"],
    ["end when the program begins to write stacks", "stacks later", "ended"],
  ])("%s", async (_what, action, state) => {
    const returns = { ...place, line: 24, function: "keepFailure", starts: 23 };
    const printed = await runProgram(action, ours.signed(order({ places: [returns] })));
    expect(printed).toContain("shown: [ 'kept' ]");
    expect(lastNote()).toMatchObject({ state, reason: expect.stringContaining("prepareStackTrace") });
  });

  it("end at the first debugger statement", async () => {
    await runProgram("statement", ours.signed(order()));
    expect(lastNote()).toMatchObject({ state: "ended", reason: expect.stringContaining("debugger statements") });
    expect(watched("no plan for p9")?.hits ?? []).toEqual([]);
  });

  it.each([
    ["forged", () => ({ ...signer("org_1").signed(order()), key: ours.key }), undefined],
    ["another organization's", () => signer("org_2").signed(order({ organization: "org_1" })), undefined],
    ["signed with another key than the pinned one", () => signer("org_1").signed(order()), ours.key],
    [
      "of another version of the file",
      () => ours.signed(order({ places: [{ ...place, sha256: "b".repeat(64) }] })),
      ours.key,
    ],
    ["for another release", () => ours.signed(order({ release: "8" })), ours.key],
  ])("aren't armed by an order that is %s", async (_what, answer, key) => {
    const printed = await runProgram("serve", answer(), { ...(key !== undefined && { WATCH: key }) });
    expect(printed).not.toContain("watching");
    expect(watched("no plan for p9")).toBeUndefined();
    expect(lastNote()).toMatchObject({ state: "refused", reason: expect.any(String) });
  });

  it("aren't armed in a program that doesn't allow it", async () => {
    const printed = await runProgram("serve", ours.signed(order()), { WATCH: "" });
    expect(printed).not.toContain("watching");
    expect(gateway.batches.every(({ watch }) => watch === undefined)).toBe(true);
  });
});
