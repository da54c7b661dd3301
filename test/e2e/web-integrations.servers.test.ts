import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { type ClusterServer, startClusterServer } from "../servers/cluster-server.ts";
import { freePort } from "../servers/free-port.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { becomeOwner, isRefusal, openWindow, problemsEverywhere, type WatchedPage } from "./web-page.ts";

let dataDirectory: string;
let server: ServerProcess;
let cluster: ClusterServer;
let browser: Browser;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  cluster = await startClusterServer();
  server = await startServerProcess(dataDirectory, await freePort(), { WHENCE_ALLOWED_NETWORKS: "127.0.0.0/8" });
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  ({ page } = ada);
  await becomeOwner(page, server);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Integrations" }).click();
  await page.getByRole("heading", { name: "Integrations", level: 1 }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await cluster?.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

function kubeconfig(token: string): string {
  const authority = Buffer.from(cluster.certificates.authority).toString("base64");
  return JSON.stringify({
    clusters: [{ name: "prod", cluster: { server: cluster.url, "certificate-authority-data": authority } }],
    users: [{ name: "whence", user: { token } }],
    contexts: [{ name: "prod", context: { cluster: "prod", user: "whence" } }],
  });
}

const field = () => page.getByLabel("Kubeconfig", { exact: true });
const form = () => page.locator("form");

describe("an owner on the page of integrations", () => {
  it("finds vendors by name, with what they provide and what they were tested against", async () => {
    const row = page.getByRole("listitem").filter({ hasText: "Better Stack" });
    await row.getByText("Uptime and on-call").waitFor();
    await row.getByText("Provides outages and who is on call").waitFor();
    await row.getByText("Tested only against a double of our own").waitFor();
    await page.getByText("Provides incidents, changes, and who is on call").waitFor();
    await page.getByText("No integrations connected").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("sees in the form what was wrong, for the page or for the vendor, and nothing is connected", async () => {
    await page.getByRole("button", { name: "Connect Kubernetes", exact: true }).click();
    await form().getByRole("button", { name: "Connect" }).click();
    await page.getByText("This field is required.").waitFor();
    await field().fill(kubeconfig("wrong-token"));
    await form().getByRole("button", { name: "Connect" }).click();
    await form().getByText("Kubernetes rejected the credentials (401)").waitFor();
    expect(await barriers()).toEqual([]);
    await field().fill(kubeconfig(cluster.token).replace('"token"', '"tokenFile"'));
    await form().getByRole("button", { name: "Connect" }).click();
    await form().getByText("names a file for the user whence (tokenFile)").waitFor();
    await page.getByText("No integrations connected").waitFor();
  });

  it("connects a valid one, and sees what it belongs to", async () => {
    await field().fill(kubeconfig(cluster.token));
    await form().getByRole("button", { name: "Connect" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Belongs to" });
    await row.getByText("cluster prod").waitFor();
    await row.getByText("connected", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(cluster.token);
    expect(await barriers()).toEqual([]);
  });

  it("checks it again, and sees why it fails", async () => {
    await page.getByRole("button", { name: "Check Kubernetes" }).click();
    await page.getByText("Kubernetes answers").waitFor();
    cluster.forbidden.add("events");
    await page.getByRole("button", { name: "Check Kubernetes" }).click();
    await page.getByText("failing", { exact: true }).waitFor();
    const row = page.getByRole("listitem").filter({ hasText: "Last error" });
    await row.getByText("doesn't let these credentials read events (403)").first().waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("connects a second cluster under a name of its own, which tells the two apart", async () => {
    cluster.forbidden.clear();
    await page.getByRole("button", { name: "Connect another Kubernetes" }).click();
    await field().fill(kubeconfig(cluster.token));
    await form().getByRole("button", { name: "Connect" }).click();
    await page.getByText("This field is required.").waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Name", { exact: true }).fill("europe");
    await form().getByRole("button", { name: "Connect" }).click();
    await page.getByRole("button", { name: "Check Kubernetes (europe)" }).click();
    await page.getByText("Kubernetes (europe) answers").waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "Belongs to" }).count()).toBe(2);
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Rename Kubernetes (europe)" }).click();
    expect(await barriers()).toEqual([]);
    await page.getByLabel("Name", { exact: true }).fill("asia");
    await page.locator("form").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("button", { name: "Check Kubernetes (asia)" }).click();
    await page.getByText("Kubernetes (asia) answers").waitFor();
    await page.getByRole("button", { name: "Disconnect Kubernetes (asia)" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("button", { name: "Check Kubernetes (asia)" }).waitFor({ state: "detached" });
  });

  it("disconnects it after confirming", async () => {
    await page.getByRole("button", { name: "Disconnect Kubernetes", exact: true }).click();
    await page.getByRole("heading", { name: "Disconnect Kubernetes?" }).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("No integrations connected").waitFor();
    await page.getByRole("button", { name: "Connect Kubernetes", exact: true }).waitFor();
  });

  it("gets no console errors other than expected rejections", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
