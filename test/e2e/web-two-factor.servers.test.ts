import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf } from "../servers/authenticator.ts";
import { startBrowser } from "../servers/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { runCommand, type ServerProcess, startServerProcess } from "../servers/server-process.ts";
import { becomeOwner, isRefusal, openWindow, owner, problemsEverywhere, signIn, type WatchedPage } from "./web-page.ts";

/** The time of the service, whose clock stands: a code stays valid however slow the machine is. */
const clockMs = Date.now();
const soonMs = clockMs + 30_000;
const stoppedClock = new URL("programs/stopped-clock.ts", import.meta.url).href;

let dataDirectory: string;
let port: number;
let server: ServerProcess;
let browser: Browser;
let ada: WatchedPage;
let key: string;
let backupCode: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "whence-web-"));
  port = await freePort();
  const environment = { WHENCE_SIGN_IN_PER_MINUTE: "1000", CLOCK_MS: String(clockMs) };
  server = await startServerProcess(dataDirectory, port, environment, ["--import", stoppedClock]);
  browser = await startBrowser();
  ada = await openWindow(browser, server.url);
  await becomeOwner(ada.page, server);
});
afterAll(async () => {
  await browser?.close();
  await server?.end("SIGTERM");
  await rm(dataDirectory, { recursive: true, force: true });
});

const settings = () => ada.page.goto(`${server.url}/settings/account`);
const codeField = (page: Page) => page.getByLabel("Code from your authenticator app");

/** Another browser, after the password. */
async function enterPassword(): Promise<Page> {
  const { page } = await openWindow(browser, server.url);
  await page.goto(`${server.url}/login?next=%2Fincidents`);
  await signIn(page);
  return page;
}

describe("two-factor sign-in", () => {
  it("is set up with the password, a QR code or key, and a code of the app", async () => {
    const { page } = ada;
    await settings();
    await page.getByRole("button", { name: "Set up two-factor sign-in" }).click();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.getByLabel("Your password").fill(owner.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: /^QR code/ }).waitFor();
    key = await page.getByLabel("Key", { exact: true }).inputValue();
    expect(await problemsEverywhere(page)).toEqual([]);
    await codeField(page).fill(codeOf(key, 0));
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("Invalid code").waitFor();
    await codeField(page).fill(codeOf(key, clockMs));
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("Keep these backup codes").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    const all = await page.getByLabel("All backup codes", { exact: true }).inputValue();
    [backupCode = ""] = all.split(" ");
    expect(all.split(" ").length).toBe(10);
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("button", { name: "Turn off" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
  });

  it("asks for a code after the password, and leads to the requested page", async () => {
    const page = await enterPassword();
    await codeField(page).fill(codeOf(key, 0));
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Invalid code").waitFor();
    // It turned the second factor on.
    await codeField(page).fill(codeOf(key, clockMs));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("this code was used already").waitFor();
    await codeField(page).fill(codeOf(key, soonMs).replace(/^.../, "$& "));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Incidents", level: 1 }).waitFor();
    expect(page.url()).toBe(`${server.url}/incidents`);
    await page.close();
  });

  it("takes a backup code instead, once", async () => {
    for (const isFirst of [true, false]) {
      const page = await enterPassword();
      await page.getByRole("button", { name: "Use a backup code" }).click();
      await page.getByLabel("Backup code").fill(backupCode);
      await page.getByRole("button", { name: "Sign in" }).click();
      await (isFirst
        ? page.getByRole("heading", { name: "Incidents", level: 1 })
        : page.getByText("Invalid backup code")
      ).waitFor();
      await page.close();
    }
  });

  it("is reset by the operator for a person who has lost both, which the audit log tells", async () => {
    const environment = { WHENCE_DATA_DIR: dataDirectory, PORT: String(port) };
    const reset = (email: string) => runCommand(environment, ["reset-two-factor", "--email", email]);
    expect(await reset("stranger@example.com")).toMatchObject({ code: 1 });
    expect(await reset(owner.email)).toMatchObject({ code: 0, printed: expect.stringContaining("password alone") });
    const page = await enterPassword();
    await page.getByRole("heading", { name: "Incidents", level: 1 }).waitFor();
    await page.goto(`${server.url}/settings/audit`);
    await page.getByText("reset two-factor sign-in for").waitFor();
    await page.close();
  });

  it("is set up again, and turned off with the password", async () => {
    const { page, noticed } = ada;
    await settings();
    await page.getByRole("button", { name: "Set up two-factor sign-in" }).click();
    await page.getByLabel("Your password").fill(owner.password);
    await page.getByRole("button", { name: "Continue" }).click();
    await codeField(page).fill(codeOf(await page.getByLabel("Key", { exact: true }).inputValue(), clockMs));
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByLabel("Your password").fill(owner.password);
    await page.getByRole("button", { name: "Turn off two-factor sign-in" }).click();
    await page.getByRole("button", { name: "Set up two-factor sign-in" }).waitFor();
    const other = await enterPassword();
    await other.getByRole("heading", { name: "Incidents", level: 1 }).waitFor();
    expect(noticed.filter((line) => !isRefusal(line))).toEqual([]);
    await other.close();
  });
});
