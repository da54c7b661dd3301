import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../servers/server-process.ts";
import { becomeOwner, type OpenedService, openService, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let opened: OpenedService;
let server: ServerProcess;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService();
  ({ server, window: ada, page } = opened);
  await becomeOwner(page, server);
  await page.goto(`${server.url}/analyze`);
  await page
    .getByLabel("Error", { exact: true })
    .fill("Error: connect ECONNREFUSED 127.0.0.1:5433\n    at load (/srv/app/src/stock.js:12:3)");
  await page.getByRole("button", { name: "Analyze" }).click();
  await page.getByRole("heading", { name: "Root cause" }).waitFor();
});
afterAll(() => opened?.end());

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
