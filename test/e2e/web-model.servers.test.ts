import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { openWindow, owner, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let dataDirectory: string;
let server: ServerProcess;
let ollama: Server;
let ollamaUrl: string;
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  ollama = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        ...{ id: "c1", object: "chat.completion", created: 1, model: "qwen" },
        choices: [{ index: 0, message: { role: "assistant", content: "ready" }, finish_reason: "stop" }],
        usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
      }),
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => ollama.listen(port, "127.0.0.1", resolve));
  ollamaUrl = `http://127.0.0.1:${port}`;
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  server = await startServerProcess(dataDirectory, await freePort(), {
    WHENCE_ALLOWED_NETWORKS: "127.0.0.1/32",
    WHENCE_MODEL_PROVIDER: "ollama",
    WHENCE_MODEL_NAME: "operators-qwen",
    WHENCE_MODEL_BASE_URL: ollamaUrl,
  });
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  ({ page } = ada);
  await page.goto(`${/set-up\s+(\S+)/.exec(server.output())?.[1] ?? ""}&next=/settings`);
  await page.getByLabel("Name").fill(owner.name);
  await page.getByLabel("Email").fill(owner.email);
  await page.getByLabel("Password").fill(owner.password);
  await page.getByRole("button", { name: "Create owner account" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await new Promise((resolve) => ollama.close(resolve));
  await rm(dataDirectory, { recursive: true, force: true });
});

async function openPage(name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

describe("an owner", () => {
  it("turns off the operator's model", async () => {
    await openPage("Language model");
    await page.getByText("Configured by the operator for every organization").waitFor();
    await page.getByRole("button", { name: "Turn off operators-qwen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await page.getByText("Ada turned off the model that the operator offers").waitFor();
  });

  it("connects a model on the same machine, checks it, and disconnects it", async () => {
    await page.getByText("No model connected.").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Model name").fill("qwen");
    await page.getByRole("button", { name: "Connect model" }).click();
    await page.getByText("This field is required.").waitFor();
    await page.getByLabel("Address").fill(ollamaUrl);
    await page.getByLabel("Tokens per day").fill("5000");
    await page.getByRole("button", { name: "Connect model" }).click();
    await page.getByText("Model saved").waitFor();
    await page.getByText("of 5,000 tokens").waitFor();
    await page.getByRole("button", { name: "Check model" }).click();
    await page.getByText("It answered in").waitFor();
    await page.getByRole("button", { name: "Save model" }).click();
    await page.getByText("It answered in").waitFor({ state: "detached" });
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Disconnect qwen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("No model connected.").waitFor();
  });

  it("turns on the operator's model", async () => {
    await page.getByRole("button", { name: "Turn on the operator's model" }).click();
    await page.getByText("Configured by the operator for every organization").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("writes instructions, and sees which lines work without a model", async () => {
    await openPage("Custom instructions");
    await page.getByText("No line sets anything.").waitFor();
    await page
      .getByLabel("Instructions", { exact: true })
      .fill(
        "We deploy on Tuesdays.\nmute service: batch\ncart belongs to Ada\ncart belongs to team checkout\nprod-eu is production\nmute service:",
      );
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Failures of this service open no incident").waitFor();
    await page.getByText("Line 2").waitFor();
    await page.getByText("Ada owns new incidents of this service, unless a rule names someone else").waitFor();
    await page.getByText("no single member has the email address or name team checkout").waitFor();
    await page.getByText("Failures in this environment open incidents").waitFor();
    await page.getByText("Not understood: write a name after the colon").waitFor();
    expect(await barriers()).toEqual([]);
    await page.reload();
    await page.getByText("Line 2").waitFor();
  });
});
