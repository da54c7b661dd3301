import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { becomeOwner, isRefusal, openWindow, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let dataDirectory: string;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let page: Page;
let shop: Server;
let shopUrl: string;
let status = 200;

beforeAll(async () => {
  const shopPort = await freePort();
  shop = createServer((_, response) => response.writeHead(status).end()).listen(shopPort, "127.0.0.1");
  shopUrl = `http://127.0.0.1:${shopPort}/health`;
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  server = await startServerProcess(dataDirectory, await freePort(), { WHENCE_ALLOWED_NETWORKS: "127.0.0.0/8" });
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  ({ page } = ada);
  await becomeOwner(page, server);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Monitors" }).click();
  await page.getByRole("heading", { name: "Monitors", level: 1 }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  shop?.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

const row = (name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("button", { name: `Checks of ${name}` }) });

async function submit(): Promise<void> {
  await page.getByRole("button", { name: "Create monitor" }).click();
}

describe("an owner on the page of monitors", () => {
  it("creates an uptime check, and sees what is wrong with a URL that can't be checked", async () => {
    await page.getByText("No monitors yet").waitFor();
    await page.getByRole("button", { name: "Add monitor" }).click();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Monitor name").fill("Shop");
    await page.getByLabel("URL").fill("ftp://shop.example.com/");
    await submit();
    await page.getByText("It must be an http or https URL").waitFor();
    await page.getByLabel("URL").fill("http://10.0.0.1/");
    await submit();
    await page.getByText("WHENCE_ALLOWED_NETWORKS").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("URL").fill(shopUrl);
    await submit();
    await row("Shop").getByText("passing", { exact: true }).waitFor();
  });

  it("tests it, and sees the result", async () => {
    status = 503;
    await page.getByRole("button", { name: "Test Shop" }).click();
    await row("Shop").getByRole("status").getByText("answered 503").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("sees its checks, and follows its alert to the incident", async () => {
    await page.getByRole("button", { name: "Pause Shop" }).click();
    await row("Shop").getByText("paused", { exact: true }).waitFor();
    // A resumed monitor is checked at once.
    await page.getByRole("button", { name: "Resume Shop" }).click();
    await row("Shop").getByText("alerting", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Checks of Shop" }).click();
    await row("Shop").getByText("failed", { exact: true }).first().waitFor();
    expect(await barriers()).toEqual([]);
    await row("Shop").getByRole("link", { name: "Latest incident" }).click();
    await page.getByRole("heading", { level: 1, name: "answered 503" }).waitFor();
    await page.goBack();
  });

  it("creates a check-in, and sees its address with its key once", async () => {
    await page.getByRole("button", { name: "Add monitor" }).click();
    await page.getByLabel("Kind").selectOption("check-in");
    await page.getByLabel("Monitor name").fill("Nightly backup");
    await page.getByLabel("Slug").fill("nightly-backup");
    await page.getByLabel("Crontab").fill("0 3 * *");
    await submit();
    await page.getByText("It must have five fields").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Crontab").fill("0 3 * * *");
    await submit();
    const address = await page.getByLabel("Check-in address", { exact: true }).inputValue();
    expect(address).toMatch(/\/api\/check-ins\/nightly-backup\?key=whm_/);
    expect(await barriers()).toEqual([]);
    const answer = await fetch(`${server.url}${new URL(address).pathname}${new URL(address).search}`);
    expect(await answer.json()).toMatchObject({ state: "passing" });
    await page.getByRole("button", { name: "Done" }).click();
    await row("Nightly backup").getByText("passing", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("whm_");
  });

  it("creates a threshold, edits it, and deletes it", async () => {
    await page.getByRole("button", { name: "Add monitor" }).click();
    await page.getByLabel("Kind").selectOption("threshold");
    await page.getByLabel("Monitor name").fill("Failing orders");
    await page.getByLabel("Value", { exact: true }).fill("5");
    await submit();
    await page.getByText("A threshold needs the service that it watches.").waitFor();
    await page.getByLabel("Service").fill("orders");
    expect(await barriers()).toEqual([]);
    await submit();
    await row("Failing orders").getByText("Failures per minute above 5").waitFor();
    await page.getByRole("button", { name: "Edit Failing orders" }).click();
    await page.getByLabel("Value", { exact: true }).fill("10");
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Save monitor" }).click();
    await row("Failing orders").getByText("Failures per minute above 10").waitFor();
    await page.getByRole("button", { name: "Delete Failing orders" }).click();
    await page.getByRole("dialog").or(page.getByRole("alertdialog")).getByRole("button", { name: "Delete" }).click();
    await row("Failing orders").waitFor({ state: "detached" });
  });

  it("sees nothing wrong in the console", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
