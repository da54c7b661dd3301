import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { vendorNames } from "./secrets/vendor-answers.ts";
import { startVendorDouble, type VendorDouble } from "./secrets/vendor-double.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import { becomeOwner, openWindow, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let folder: string;
let double: VendorDouble;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-web-"));
  double = await startVendorDouble({});
  await writeFile(join(folder, "authority.pem"), double.authority);
  const environment = {
    WHENCE_ALLOWED_NETWORKS: "127.0.0.0/8",
    NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
    VENDOR_NAMES: vendorNames.join(),
    VENDOR_PORT: String(double.port),
  };
  const preload = new URL("programs/vendors-at-a-double.ts", import.meta.url).href;
  server = await startServerProcess(join(folder, "data"), await freePort(), environment, ["--import", preload]);
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  ({ page } = ada);
  await becomeOwner(page, server);
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await double?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("an incident of a service with people on call", () => {
  it("names who is on call at PagerDuty, and offers the member with their address as owner", async () => {
    await page.goto(`${server.url}/settings/integrations`);
    await page.getByRole("button", { name: "Connect PagerDuty" }).click();
    await page.getByLabel("API key", { exact: true }).fill("key-of-acme");
    await page.locator("form").getByRole("button", { name: "Connect" }).click();
    await page.getByText("connected", { exact: true }).waitFor();
    const events = ["31", "32", "31"].map((id, index) => ({
      ...exceptionEvent("renderTotal", index + 1),
      user: { id },
    }));
    const failing = batchOf(events, { service: "storefront" });
    expect(await sendBatch(server.url, bootstrapKey, failing)).toBe(true);
    await page.goto(`${server.url}/incidents`);
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByText("Ada, PagerDuty", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("ada@example.com");
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("says how many users the failure affected", async () => {
    await page.getByText("2 users", { exact: true }).waitFor();
  });

  it("has them first in the menu of members, and as owner after one click", async () => {
    await page.keyboard.press("h");
    await page.getByRole("menuitem", { name: "Ada (you), on call" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Take it, as you are on call" }).click();
    await page.getByText("Owner: Ada", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Take it, as you are on call" }).waitFor({ state: "detached" });
    expect(ada.noticed).toEqual([]);
  });
});
