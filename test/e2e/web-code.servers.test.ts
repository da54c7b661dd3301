import { createHash, generateKeyPairSync } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { bootstrapKey, eventually, type ServerProcess } from "../servers/server-process.ts";
import { vendorNames } from "./secrets/vendor-answers.ts";
import { startVendorDouble, type VendorDouble } from "./secrets/vendor-double.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

let opened: OpenedService;
let double: VendorDouble;
let server: ServerProcess;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  double = await startVendorDouble({ personToken: "gh-person", installationToken: "gh-installation" });
  const environment = {
    WHENCE_GITHUB_APP_CLIENT_ID: "id",
    WHENCE_GITHUB_APP_CLIENT_SECRET: "secret",
    WHENCE_GITHUB_APP_SLUG: "whence",
    WHENCE_GITHUB_APP_PRIVATE_KEY: privateKey,
  };
  const { port, authority } = double;
  opened = await openService(environment, { names: vendorNames, port, authority });
  ({ server, window: ada, page } = opened);
  await becomeOwner(page, server);
});
afterAll(async () => {
  await opened?.end();
  await double?.close();
});

/** Checks the page at every size, and continues at the widest. */
async function barriers(): Promise<string[]> {
  const found = await problemsEverywhere(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  return found;
}

async function openSettings(name: string): Promise<void> {
  await page.goto(`${server.url}/settings`);
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

/** Returns from GitHub, which the test's browser can't reach. */
async function authorize(): Promise<void> {
  const path = `${server.url}/api/integrations/github/authorization`;
  const started = await page.request.post(path, { data: { account: "acme" } });
  const { authorize_url: url } = z.object({ authorize_url: z.url() }).parse(await started.json());
  const state = new URL(url).searchParams.get("state") ?? "";
  await page.request.get(`${path}/callback?${new URLSearchParams({ code: "c", state })}`);
}

async function upload(release: string): Promise<void> {
  const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };
  const text = `export const release = "${release}";\n`;
  const contents = JSON.stringify({ contents: [text] });
  await fetch(`${server.url}/api/sources/contents`, { method: "POST", headers, body: contents });
  const files = [{ path: "src/release.js", sha256: createHash("sha256").update(text).digest("hex") }];
  const body = JSON.stringify({ service: "orders", release, files });
  await fetch(`${server.url}/api/sources`, { method: "PUT", headers, body });
}

describe("an owner with a code host", () => {
  it("can name the account before leaving for GitHub", async () => {
    await openSettings("Integrations");
    await page.getByRole("button", { name: "Connect GitHub" }).click();
    await page.getByLabel("Account", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Continue to GitHub" }).waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("assigns repositories to services, and resets them to their names", async () => {
    expect(await sendBatch(server.url, bootstrapKey, batchOf([exceptionEvent("pay", 1)], { service: "orders" }))).toBe(
      true,
    );
    await eventually("the service", async () => {
      const answer = await page.request.get(`${server.url}/api/services`);
      return (await answer.text()).includes('"orders"') || undefined;
    });
    await authorize();
    await openSettings("Integrations");
    const repositories = page.getByRole("region", { name: "Repositories" });
    await repositories.getByText("by its name: acme/orders, if it exists").waitFor();
    await repositories.getByLabel("Service").fill("orders");
    await repositories.getByLabel("Repository").fill("shop");
    await repositories.getByRole("button", { name: "Assign repository" }).click();
    await repositories.getByText("It must be the path of a repository, such as acme/shop.").waitFor();
    await repositories.getByLabel("Repository").fill("acme/shop");
    await page.keyboard.press("Enter");
    await repositories.getByRole("listitem").getByText("acme/shop").waitFor();
    expect(await barriers()).toEqual([]);
    await repositories.getByRole("button", { name: "Unassign orders" }).click();
    await repositories.getByText("by its name: acme/orders, if it exists").waitFor();
  });
});

describe("an owner on the page of source code", () => {
  it("finds the upload command while nothing is uploaded", async () => {
    await openSettings("Source code");
    await page.getByText("No source code uploaded.").waitFor();
    await page.getByText("sources upload --service orders").waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("sees uploads with their size and key", async () => {
    await upload("1.0.0");
    await upload("2.0.0");
    await openSettings("Source code");
    const row = page.getByRole("listitem").filter({ hasText: "2.0.0" });
    for (const fact of ["1 file", "KiB", "with the key “bootstrap”"]) await row.getByText(fact).waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("deletes a release after confirming", async () => {
    await page.getByRole("button", { name: "Remove orders 1.0.0" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("Source code removed").waitFor();
    await page.getByRole("button", { name: "Remove orders 1.0.0" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove orders 2.0.0" }).waitFor();
  });

  it("sees which releases were reported, when, and by whom, and deletes one after confirming", async () => {
    const headers = { "content-type": "application/json", "x-api-key": bootstrapKey };
    const body = JSON.stringify({ service: "payments", release: "3.1.0", commit: "1a2b3c4d5e6f" });
    await fetch(`${server.url}/api/releases`, { method: "POST", headers, body });
    await openSettings("Source code");
    const row = page.getByRole("listitem").filter({ hasText: "payments 3.1.0" });
    for (const fact of ["live in PROD", "commit 1a2b3c4", "reported by the key “bootstrap”"])
      await row.getByText(fact).waitFor();
    expect(await barriers()).toEqual([]);
    await page.getByRole("button", { name: "Remove the reports of payments 3.1.0" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No release was reported.").waitFor();
  });

  it("gets no console errors", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
