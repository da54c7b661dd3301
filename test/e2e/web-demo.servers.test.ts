import type { Incident } from "@whence/protocol";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readIncident } from "../../examples/shop/demo/await-report.ts";
import { faults } from "../../examples/shop/demo/faults.ts";
import { canRun } from "../../examples/shop/demo/options.ts";
import { type FaultRun, runFault } from "../../examples/shop/demo/run-fault.ts";
import type { Telemetry } from "../../examples/shop/demo/shop.ts";
import { uploadShop } from "../../examples/shop/demo/upload-sources.ts";
import { startWhenceServer } from "../../examples/shop/demo/whence-server.ts";
import { startBrowser } from "../servers/browser.ts";
import { openWindow, owner, problemsEverywhere, type WatchedPage } from "./web-page.ts";

/** Six shops start, break, and stop before the first test. */
const demoMs = 900_000;
/** The most that a folded page may be high, by the width of the window. */
const heightsMax = [
  [1440, 1_800],
  [390, 3_200],
] as const;
const { signal } = new AbortController();
const opened = new AsyncDisposableStack();
const runs: FaultRun[] = [];
let server: Telemetry;
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  const started = await startWhenceServer(opened, signal);
  server = started;
  await uploadShop(server, signal);
  for (const fault of faults.filter(canRun)) runs.push(await runFault(fault, server, signal));
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  ({ page } = ada);
  await page.goto(started.setupLink("/incidents") ?? "");
  await page.getByLabel("Name").fill(owner.name);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Create owner account" }).click();
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
}, demoMs);
afterAll(async () => {
  await browser?.close();
  await opened.disposeAsync();
});

async function openIncident({ incident }: FaultRun): Promise<void> {
  await page.goto(`${server.url}/incidents/${incident.id}`);
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
  await page.getByRole("tab", { name: "Stack trace" }).waitFor();
  await page
    .getByRole("region", { name: /^Source of/ })
    .first()
    .waitFor();
}

/** Opens an incident and reads its page, again where the report was refined meanwhile; returns both. */
async function readPage<Read>(run: FaultRun, read: () => Promise<Read>): Promise<readonly [Incident, Read]> {
  for (;;) {
    const before = await readIncident(server, run.incident.id, signal);
    await openIncident(run);
    const onPage = await read();
    const after = await readIncident(server, run.incident.id, signal);
    if (before.refinement?.version === after.refinement?.version) return [after, onPage];
  }
}

/** The beginning of the headline, which says where the failure came from, as a page shows it. */
function originOf(incident: Incident): string {
  const [told = ""] = (incident.report?.root_cause_summary ?? "").split(/, (?:and|which|so) |: |\. /);
  return told.replaceAll("`", "");
}

const html = "document.querySelector('main').innerText.replace(/\\s+/g, ' ')";

describe("the page of each of the demo's incidents", () => {
  it("is short while it is folded, with its source lines and its stack trace", async () => {
    for (const run of runs) {
      for (const [width, heightMax] of heightsMax) {
        await page.setViewportSize({ width, height: 900 });
        await openIncident(run);
        const height = z.number().parse(await page.evaluate("document.documentElement.scrollHeight"));
        expect([run.fault.name, width, height > heightMax ? height : "short"]).toEqual([
          run.fault.name,
          width,
          "short",
        ]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("says where the failure came from once, apart from what is advised", async () => {
    for (const run of runs) {
      const [incident, shown] = await readPage(run, async () => {
        // biome-ignore lint/performance/useDomNodeTextContent: `html` is what is rendered, too.
        const advised = await page.getByRole("region", { name: "Do now" }).innerText();
        const whole = z.string().parse(await page.evaluate(html));
        return whole.replace(advised.replace(/\s+/g, " ").trim(), "");
      });
      const origin = originOf(incident);
      expect([run.fault.name, origin, shown.split(origin).length - 1]).toEqual([run.fault.name, origin, 1]);
    }
  });

  it("advises at most two things, and first to roll back a release where the report does", async () => {
    for (const run of runs) {
      const [incident, advised] = await readPage(run, () =>
        page.getByRole("region", { name: "Do now" }).getByRole("listitem").allTextContents(),
      );
      expect(advised.length).toBeLessThanOrEqual(2);
      const solutions = incident.report?.short_term_solutions ?? [];
      const [back] = solutions.filter(({ rolls_back: release }) => release !== undefined);
      const title = (back ?? solutions[0])?.title.replaceAll("`", "") ?? "";
      expect(advised[0]?.slice(0, title.length)).toBe(title);
    }
  });

  it("has the request, the breadcrumbs, the event as JSON, and all events of the failure", async () => {
    const [run] = runs;
    if (!run) throw new Error("no fault was run");
    await openIncident(run);
    await page.getByRole("tab", { name: "Request" }).click();
    await page
      .getByRole("tabpanel", { name: "Request" })
      .getByText(/^POST \/orders/)
      .waitFor();
    await page.getByRole("tab", { name: /^Breadcrumbs/ }).click();
    await page.getByRole("columnheader", { name: "Category" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("tab", { name: "Raw event" }).click();
    expect(await page.getByRole("region", { name: "Event as JSON" }).textContent()).toContain('"exceptions"');
    await page.getByRole("tab", { name: "All events" }).click();
    await page.getByRole("columnheader", { name: "User agent" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("tabpanel").getByRole("button").first().click();
    await page.getByRole("button", { name: "Raw text" }).click();
    expect(await page.getByRole("region", { name: "Stack trace as text" }).textContent()).toContain("    at ");
    expect(await problemsEverywhere(page)).toEqual([]);
    expect(ada.noticed).toEqual([]);
  });
});
