import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
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
  await page.goto(`${server.url}/analyze`);
  await page
    .getByLabel("Error", { exact: true })
    .fill("Error: connect ECONNREFUSED 127.0.0.1:5433\n    at load (/srv/app/src/stock.js:12:3)");
  await page.getByRole("button", { name: "Analyze" }).click();
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

const section = () => page.locator("details", { hasText: "Ask about this report" });
const ask = async (question: string): Promise<void> => {
  await section().getByLabel("Question").fill(question);
  await section().getByRole("button", { name: "Ask" }).click();
};

describe("a question on the incident's page", () => {
  it("is answered below it, from the report", async () => {
    await section().getByRole("heading", { name: "Ask about this report" }).click();
    await ask("how sure are you?");
    await section().getByText("likely to be the right").waitFor();
    await ask("what about port 5433?");
    await section().getByText("127.0.0.1:5433").first().waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
  });

  it("gets a list of possible questions when the report doesn't answer it", async () => {
    await ask("is the Kafka consumer lagging?");
    await section().getByText("The report doesn't answer that").waitFor();
    await section().getByText("why it fails").waitFor();
  });

  it("leaves nothing in the console, and sends requests only to the service", () => {
    expect(ada.noticed).toEqual([]);
  });
});
