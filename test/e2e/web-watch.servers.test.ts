import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { orderedPlaceSchema, type WatchNote } from "@whence/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import { becomeOwner, openWindow, problemsEverywhere, type WatchedPage } from "./web-page.ts";

const release = "shop@1";
const place = orderedPlaceSchema.parse({
  ...{ file: "src/cart/plan-of-a-customer.js", line: 3, function: "planOf", starts: 2, sha256: "a".repeat(64) },
});

let dataDirectory: string;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let page: Page;
let incident: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  server = await startServerProcess(dataDirectory, await freePort());
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  ({ page } = ada);
  await becomeOwner(page, server);
  await page.getByRole("link", { name: "Incidents" }).click();
  await fail(1);
  await page.getByRole("link", { name: /reading 'total'/ }).click();
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
  incident = new URL(page.url()).pathname.split("/").at(-1) ?? "";
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

async function fail(seq: number, changes: object = {}): Promise<string> {
  const event = { ...exceptionEvent("renderTotal", seq), ...changes };
  expect(await sendBatch(server.url, bootstrapKey, batchOf([event], { release }))).toBe(true);
  return event.id;
}

/** What a process says of its order, with a batch. */
async function answer(note: WatchNote): Promise<void> {
  expect(await sendBatch(server.url, bootstrapKey, batchOf([], { release, watch: note }))).toBe(true);
}

/** Changes rows as an investigation does that has read the code, or has seen a failure of a watched process. */
function change(sql: string, ...values: string[]): void {
  const database = new DatabaseSync(join(dataDirectory, "control.sqlite"), { timeout: 60_000 });
  database.prepare(sql).run(...values);
  database.close();
}

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

const fold = () => page.locator("details").filter({ has: page.getByRole("heading", { name: "Watch in production" }) });

async function orderOf(): Promise<string> {
  const read = await page.request.get(`${server.url}/api/incidents/${incident}/watch`);
  return (await read.json()).watch.id;
}

describe("the page of an incident whose report names places", () => {
  it("offers no watch before a report does", async () => {
    expect(await fold().count()).toBe(0);
  });

  it("starts a watch by keyboard, and says that no process allows it yet", async () => {
    change(
      "UPDATE incident SET report_json = json_set(report_json, '$.watch', json(?)), refine_at = NULL WHERE id = ?",
      JSON.stringify([place]),
      incident,
    );
    await page.reload();
    await fold().getByText("1 place", { exact: true }).waitFor();
    await page.keyboard.press("w");
    await fold().getByText("init({ watch: true })").waitFor();
    expect(await barriers()).toEqual([]);
    await fold().getByLabel("Watch for").selectOption("30 minutes");
    await fold().getByRole("button", { name: "Watch", exact: true }).click();
    await fold().getByText("no process has answered yet", { exact: true }).waitFor();
    expect(await fold().getByRole("list", { name: "Watched places" }).textContent()).toContain("planOf");
    expect(await barriers()).toEqual([]);
  });

  it("says when a process is armed, and why another refused", async () => {
    const order = await orderOf();
    await answer({ order, state: "armed" });
    await fold()
      .getByText(/^armed until /)
      .waitFor();
    const reason = "src/cart/plan-of-a-customer.js is another version";
    // A process says it with each batch, and what changes within two seconds is written with a later one.
    await expect
      .poll(async () => {
        await answer({ order, state: "refused", reason });
        return fold().getByText("refused by a process", { exact: true }).count();
      })
      .toBe(1);
    await fold()
      .getByText(/A process refused: src\/cart\/plan-of-a-customer\.js is another version/)
      .waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("shows what was seen on the way to the last failure", async () => {
    const order = await orderOf();
    const hit = {
      ...{ file: place.file, line: 3, function: "planOf", starts: 2, kind: "returned", nth: 1, thread: "1", at_ms: 4 },
      ...{ returned: "undefined", values: { id: '"p9"' }, callers: [] },
    };
    const places = [{ place: 0, hits: 2, is_complete: true }];
    const event = await fail(2, { watched: { order, at_ms: 0, places, hits: [hit] } });
    const now = new Date().toISOString();
    change("UPDATE place_watch SET seen = 1, seen_event_ids = ?, seen_at = ? WHERE id = ?", event, now, order);
    await fold().getByText("seen in 1 failure", { exact: true }).waitFor();
    const seen = fold().getByRole("region", { name: "Seen on the way to the last failure" });
    expect(await seen.textContent()).toMatch(/planOf returned undefined\s*id = "p9"/);
    await fold().getByText("reached 2 times").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("lists the watch among the services, until it is stopped", async () => {
    await page.getByRole("link", { name: "Services" }).click();
    await page.getByRole("heading", { name: "Watched places" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("link", { name: `storefront ${release}` }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.keyboard.press("w");
    await fold().getByRole("button", { name: "Stop watching" }).click();
    await fold().getByText("stopped, seen in 1 failure", { exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("link", { name: "Services" }).click();
    await page.getByRole("link", { name: "storefront", exact: true }).waitFor();
    await page.getByRole("heading", { name: "Watched places" }).waitFor({ state: "detached" });
    expect(ada.noticed).toEqual([]);
  });
});
