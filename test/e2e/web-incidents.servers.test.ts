import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent } from "./telemetry-batch.ts";
import { becomeOwner, openWindow, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let dataDirectory: string;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  server = await startServerProcess(dataDirectory, await freePort());
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  ({ page } = ada);
  await becomeOwner(page, server);
  await page.getByRole("link", { name: "Incidents" }).click();
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };
  const answer = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
}

const errorLog = "Error: connect ECONNREFUSED 10.0.0.7:5432\n    at connect (/app/src/database.js:4:9)";

describe("the incidents", () => {
  it("come while one looks: the first event opens one, which is explained without loading the page again", async () => {
    await page.getByText("No incident yet").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await post("/api/telemetry/events", batchOf([exceptionEvent("renderTotal", 1)]));
    await page.getByRole("link", { name: /reading 'total'/ }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    expect(await page.title()).toContain("reading 'total'");
  });

  it("show the guilty line in the source, and open each piece of evidence where it is cited", async () => {
    expect(await page.locator("mark").first().textContent()).toContain("cart.order.total");
    const citation = page.getByRole("link", { name: "e2", exact: true }).first();
    await citation.click();
    const evidence = page.locator("details#e2");
    await evidence.getByText("SHA-256").waitFor();
    expect(await evidence.getByRole("region", { name: "Excerpt of e2" }).textContent()).not.toBe("");
    expect(page.url()).toMatch(/#e2$/);
    expect(await page.evaluate("document.activeElement.closest('details')?.id")).toBe("e2");
    await page.goBack();
    expect(page.url()).not.toContain("#");
  });

  it("have no barrier at any size, light or dark, with everything open", async () => {
    await page.getByRole("button", { name: /Open all/ }).click();
    await page.getByText("What it rests on").click();
    // They stay open for whoever watched them; how fast the page was decides.
    const steps = page.getByText("Read the error");
    if (!(await steps.isVisible())) await page.getByText("The steps of the investigation").click();
    await steps.waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("are investigated again when somebody asks, and say so while it runs", async () => {
    await page.getByRole("button", { name: "Run again" }).click();
    await expect
      .poll(() => page.getByRole("button", { name: "Run again" }).isEnabled(), { timeout: 30_000 })
      .toBe(true);
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
  });

  it("take an opinion with its reason, and keep it", async () => {
    await page.getByRole("button", { name: "In part" }).click();
    await page.getByLabel("What was it really?").fill("The order came without its items.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Thank you").waitFor();
    await page.reload();
    await page.getByText("The order came without its items.").waitFor();
  });

  it("are narrowed by what the address says, and by text", async () => {
    await post("/api/mcp/analyze", { error_log: errorLog });
    await page.keyboard.press("u");
    await page.getByRole("link", { name: /ECONNREFUSED/ }).waitFor();
    await page.getByLabel("Trigger").selectOption("event");
    await page.getByRole("link", { name: /ECONNREFUSED/ }).waitFor({ state: "detached" });
    expect(page.url()).toBe(`${server.url}/incidents?trigger=event`);
    await page.reload();
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor();
    expect(await page.getByLabel("Trigger").inputValue()).toBe("event");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.keyboard.press("/");
    await page.keyboard.type("5432");
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: /ECONNREFUSED/ }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("are gone through and opened from the keyboard, and found from anywhere", async () => {
    await page.getByRole("link", { name: /reading 'total'/ }).waitFor();
    await page.getByRole("heading", { name: "Incidents" }).click();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toContain("reading 'total'");
    await page.keyboard.press("o");
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or go to" }).fill("econnrefused");
    await page.getByRole("option", { name: /ECONNREFUSED/ }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: /ECONNREFUSED/ }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { name: "Incidents" }).waitFor();
  });

  it("leave nothing in the console, and ask nobody but the service", () => {
    expect(ada.noticed).toEqual([]);
  });
});
