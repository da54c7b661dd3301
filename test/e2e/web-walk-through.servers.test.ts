import { brotliCompressSync } from "node:zlib";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bootstrapKey, type ServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import {
  becomeOwner,
  type OpenedService,
  openService,
  problemsEverywhere,
  smallTargets,
  type WatchedPage,
  widths,
} from "./web-page.ts";

let opened: OpenedService;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService({ WHENCE_SIGNUP: "open" });
  ({ server, browser, window: ada, page } = opened);
  await becomeOwner(page, server);
});
afterAll(() => opened?.end());

const sourceSchema = z.object({ id: z.string(), secret: z.string() });

/** Alertmanager says that the storefront fails. */
async function alert(): Promise<void> {
  const made = await page.request.post(`${server.url}/api/alert-sources`, {
    data: { kind: "alertmanager", name: "Production" },
    headers: { origin: server.url },
  });
  const { id, secret } = sourceSchema.parse(await made.json());
  const fired = {
    status: "firing",
    labels: { alertname: "StorefrontFails", service: "storefront", severity: "critical" },
    annotations: { summary: "The storefront answers 500" },
    startsAt: new Date().toISOString(),
    endsAt: "0001-01-01T00:00:00Z",
    generatorURL: "http://prometheus.example.com/graph",
    fingerprint: "storefront-fails",
  };
  const answer = await fetch(`${server.url}/api/webhooks/${id}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${secret}` },
    body: JSON.stringify({ version: "4", status: "firing", groupKey: "{}", receiver: "whence", alerts: [fired] }),
  });
  expect(answer.ok).toBe(true);
}

const fail = async (seq: number): Promise<void> => {
  expect(await sendBatch(server.url, bootstrapKey, batchOf([exceptionEvent("renderTotal", seq)]))).toBe(true);
};

let presses = 0;
async function press(key: string): Promise<void> {
  presses += 1;
  await page.keyboard.press(key);
}

describe("an incident, worked on by keyboard alone", () => {
  it("goes from the alert to resolved in six key presses, read, owned, and commented on", async () => {
    await page.goto(`${server.url}/incidents`);
    await fail(1);
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor();
    await alert();
    // Typed at once: the row has no focus yet when it is opened.
    await press("j");
    await press("Enter");
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page
      .getByText(/render\.js/)
      .first()
      .waitFor();
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole("heading", { name: "Root cause" }).waitFor();
        return page.getByText(/The storefront answers 500|StorefrontFails/).count();
      })
      .toBeGreaterThan(0);
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await press("t");
    await page.getByText("Owner: Ada", { exact: true }).waitFor();
    await press("c");
    // What a comment says is typed, and no command.
    await page.keyboard.type("Guarded the empty order.");
    await press("Control+Enter");
    await page.getByText("Guarded the empty order.", { exact: true }).waitFor();
    await press("e");
    await page.getByText("Resolved", { exact: true }).waitFor();
    expect(presses).toBe(6);
  });

  it("is a regression of the same incident once the failure comes back", async () => {
    const { pathname } = new URL(page.url());
    await fail(2);
    await page.getByText("Regressed", { exact: true }).waitFor();
    await page.getByText("Owner: Ada, not acknowledged", { exact: true }).waitFor();
    await page.getByText("Guarded the empty order.", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pathname);
    const listed = await page.request.get(`${server.url}/api/incidents`);
    expect(z.object({ incidents: z.array(z.unknown()) }).parse(await listed.json()).incidents).toHaveLength(1);
    expect(ada.noticed).toEqual([]);
  });
});

describe("the command palette on an incident", () => {
  async function choose(text: string, label: RegExp): Promise<void> {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or go to" }).fill(text);
    await page.getByRole("option", { name: label }).waitFor();
    expect(await page.getByRole("option", { name: label }).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
  }

  it("resolves, reopens, mutes, comments on, and shares the incident that is open", async () => {
    await page.reload();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await choose("resol", /^Resolve this incident/);
    await page.getByText("Resolved", { exact: true }).waitFor();
    await choose("reop", /^Reopen this incident/);
    await page.getByText("Resolved", { exact: true }).waitFor({ state: "detached" });
    await choose("mute", /^Mute this incident/);
    await page.getByRole("menuitem", { name: "For a day" }).waitFor();
    await page.keyboard.press("Escape");
    await choose("hand", /^Hand over this incident/);
    await page.getByRole("menuitem", { name: "Let go" }).click();
    await page.getByText("No owner", { exact: true }).waitFor();
    await choose("take", /^Take this incident/);
    await page.getByText("Owner: Ada", { exact: true }).waitFor();
    await choose("share this", /^Share this incident/);
    await page.getByRole("dialog", { name: "Share or export this report" }).waitFor();
    await page.keyboard.press("Escape");
    await choose("comm", /^Comment on this incident/);
    await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
    expect(ada.noticed).toEqual([]);
  });

  it("offers nothing for an incident on other pages", async () => {
    await page.goto(`${server.url}/services`);
    await page.getByRole("heading", { name: "Services", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Incidents" }).waitFor();
    expect(await page.getByRole("option", { name: /this incident/ }).count()).toBe(0);
    expect(await problemsEverywhere(page)).toEqual([]);
  });
});

describe("the head of an incident", () => {
  it("has no accessibility problem while one of its menus is open, and copies, hands over, and deletes from one", async () => {
    await openIncident();
    await page.getByRole("button", { name: "Mute" }).click();
    await page.getByRole("menuitem", { name: "For a day" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Copy report" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("menuitem", { name: "Hand over…" }).click();
    await page.getByRole("menuitem", { name: "Let go" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("menuitem", { name: "Let go" }).click();
    await page.getByText("No owner", { exact: true }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog", { name: "Delete this incident?" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: /Ada/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(ada.noticed).toEqual([]);
  });

  it("has five buttons at most, in one row, and leaves the title its room at any width", async () => {
    const buttons = page.locator("header:has(h1) button");
    for (const width of [360, 768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const boxes = await Promise.all((await buttons.all()).map((button) => button.boundingBox()));
      const tops = new Set(boxes.map((box) => Math.round(box?.y ?? 0)));
      expect([width, boxes.length, tops.size]).toEqual([width, 5, 1]);
      const title = await page.getByRole("heading", { level: 1 }).boundingBox();
      expect(title?.width).toBeGreaterThan(300);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("is above the parts of an event, which the arrow keys open", async () => {
    await page.getByRole("tab", { name: "Stack trace" }).click();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tabpanel", { name: "Request" }).waitFor();
    await page.keyboard.press("End");
    await page.getByRole("tabpanel", { name: "All events" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tabpanel", { name: "Stack trace" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement?.getAttribute('role')")).not.toBe("tab");
  });
});

/** Opens the one incident that there is. */
async function openIncident(): Promise<void> {
  await page.goto(`${server.url}/incidents`);
  await page.getByRole("link", { name: /reading 'total'/ }).click();
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
}

/** Bytes of the scripts that a page loads before anything is pressed, compressed as they are served. */
async function scriptBytes(path: string, whole: (fresh: Page) => Locator): Promise<number> {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = await context.newPage();
  await fresh.goto(`${server.url}${path}`);
  await whole(fresh).waitFor();
  await fresh.waitForLoadState("networkidle");
  const loaded = "performance.getEntriesByType('resource').map(({ name }) => name)";
  const urls = z.array(z.string()).parse(await fresh.evaluate(loaded));
  let bytes = 0;
  for (const url of urls.filter((one) => one.endsWith(".js")))
    bytes += brotliCompressSync(await (await page.request.get(url)).body()).length;
  await context.close();
  return bytes;
}

describe("what every page keeps to", () => {
  let incident: string;

  it("shows the list, and the whole page of an incident, with less than 200 kB of scripts", async () => {
    const answer = await page.request.get(`${server.url}/api/incidents`);
    const listed = z.object({ incidents: z.array(z.object({ id: z.string() })) }).parse(await answer.json());
    incident = `/incidents/${listed.incidents[0]?.id}`;
    const list = await scriptBytes("/incidents", (fresh) => fresh.getByRole("link", { name: /reading 'total'/ }));
    const whole = await scriptBytes(incident, (fresh) => fresh.getByRole("tab", { name: "Stack trace" }));
    for (const bytes of [list, whole]) {
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes).toBeLessThan(200_000);
    }
  });

  it("has marks and buttons of at least 24 px, or with as much around them, on every page", async () => {
    await page.goto(`${server.url}/settings`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const linked = "[...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href'))";
    const found = z.array(z.string()).parse(await page.evaluate(linked));
    expect(found.length).toBeGreaterThan(15);
    const small: string[] = [];
    for (const path of new Set([...found, incident, "/services/storefront"])) {
      await page.goto(`${server.url}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        small.push(...(await smallTargets(page)).map((target) => `${width} px: ${target}`));
      }
    }
    expect(small).toEqual([]);
  });
});
