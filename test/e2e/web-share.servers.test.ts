import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootstrapKey, type ServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  openWindow,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

let opened: OpenedService;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let page: Page;
let link: string;

beforeAll(async () => {
  opened = await openService();
  ({ server, browser, window: ada, page } = opened);
  await becomeOwner(page, server);
  const headers = { host: "shop.example", "x-customer": "private-customer" };
  const crumb = {
    timestamp: new Date().toISOString(),
    category: "http",
    data: { method: "GET", url: "/private-path" },
  };
  const request = { method: "GET", path: "/cart", headers };
  const event = { ...exceptionEvent("renderTotal", 1), request, breadcrumbs: [crumb] };
  expect(await sendBatch(server.url, bootstrapKey, batchOf([event]))).toBe(true);
  await page.getByRole("link", { name: "Incidents" }).click();
  await page.getByRole("link", { name: /reading 'total'/ }).click();
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
});
afterAll(() => opened?.end());

describe("a report", () => {
  it("is downloaded as Markdown and as JSON", async () => {
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByText("No links").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const [name, text] of [
      ["Download Markdown", "## Root cause"],
      ["Download JSON", '"root_cause_summary"'],
    ] as const) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
      expect(await readFile(await download.path(), "utf8")).toContain(text);
    }
  });

  it("is read by a person without an account who has the link, at any size", async () => {
    await page.getByLabel("The link works for").selectOption("1 day");
    await page.getByRole("button", { name: "Create link" }).click();
    link = await page.getByRole("textbox", { name: "Link, which won't be shown again" }).inputValue();
    const stranger = await openWindow(browser, server.url);
    const [document] = await Promise.all([
      stranger.page.waitForResponse((answer) => answer.url() === `${server.url}/shared`),
      stranger.page.goto(link),
    ]);
    expect(document.headers()).toMatchObject({ "x-robots-tag": "noindex, nofollow", "referrer-policy": "no-referrer" });
    await stranger.page.getByRole("heading", { name: /reading 'total'/ }).waitFor();
    await stranger.page.getByRole("heading", { name: "Root cause" }).waitFor();
    expect(await stranger.page.content()).not.toContain("private");
    expect(await problemsEverywhere(stranger.page)).toEqual([]);
    expect(stranger.noticed).toEqual([]);
    await stranger.page.context().close();
  });

  it("is no longer read once its link is revoked", async () => {
    await page.getByRole("button", { name: /^Revoke the link of Ada/ }).click();
    await page.getByText("No links").waitFor();
    const stranger = await openWindow(browser, server.url);
    await stranger.page.goto(link);
    await stranger.page.getByRole("heading", { name: "This link leads to no report" }).waitFor();
    expect(await problemsEverywhere(stranger.page)).toEqual([]);
    expect(stranger.noticed.filter((line) => !isRefusal(line))).toEqual([]);
    await stranger.page.context().close();
  });

  it("is printed with what is folded, and without buttons and navigation", async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Share", exact: true }).waitFor();
    await page.emulateMedia({ media: "print" });
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    const printed = page.getByRole("main");
    await printed.getByRole("heading", { name: "Evidence" }).waitFor();
    await printed.locator("details[id]").first().waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(await page.getByText("Ask about this report").isVisible()).toBe(false);
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    await page.emulateMedia({ media: "screen" });
    await page.locator("details[id]").first().waitFor({ state: "detached" });
  });

  it("leaves nothing in the console, and sends requests only to the service", () => {
    expect(ada.noticed).toEqual([]);
  });
});
