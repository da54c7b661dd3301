import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { type FrontProxy, startProxy } from "../servers/nginx.ts";
import { type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { becomeOwner, isRefusal, openWindow, signIn } from "./web-page.ts";

let dataDirectory: string;
let server: ServerProcess;
let proxy: FrontProxy;
let browser: Browser;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-proxy-"));
  const [port, proxyPort] = [await freePort(), await freePort()];
  server = await startServerProcess(dataDirectory, port, {
    WHENCE_APP_URL: `http://127.0.0.1:${proxyPort}`,
    WHENCE_TRUSTED_PROXIES: "127.0.0.1",
  });
  const address = `127.0.0.1:${port}`;
  proxy = await startProxy(proxyPort, [address, address], [address, address]);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await proxy?.stop();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

describe("the pages behind the shipped proxy", () => {
  it("let a person become the owner, sign out, and sign in again", async () => {
    const { page, noticed } = await openWindow(browser, proxy.url);
    await becomeOwner(page, server);
    expect(page.url()).toBe(`${proxy.url}/services/new`);
    await page.context().clearCookies();
    await page.goto(`${proxy.url}/login`);
    await signIn(page);
    await page.getByRole("heading", { name: "Add a service" }).waitFor();
    expect(noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
