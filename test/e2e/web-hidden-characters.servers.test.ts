import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bootstrapKey, type ServerProcess } from "../servers/server-process.ts";
import { batchOf, exceptionEvent, sendBatch } from "./telemetry-batch.ts";
import { becomeOwner, type OpenedService, openService } from "./web-page.ts";

/** Text after it is shown from right to left: `invoice-<this>fdp.exe` reads as `invoice-exe.pdf`. */
const reversing = "\u202e";
const mark = "�";
const service = `shop${reversing}fdp.exe`;
const release = `1.0${reversing}0.2`;
const message = `refused ${reversing}deviecer`;
const reportedRelease = `3.0${reversing}0.4`;
const keyName = `ci${reversing}yek`;
const sourceName = `pager${reversing}llac`;

let opened: OpenedService;
let server: ServerProcess;
let page: Page;

beforeAll(async () => {
  opened = await openService();
  ({ server, page } = opened);
  await becomeOwner(page, server);
  const failure = exceptionEvent("renderTotal", 1);
  const exceptions = (failure.exceptions ?? []).map((exception) => ({ ...exception, message }));
  const batch = batchOf([{ ...failure, message, exceptions }], { service, release });
  expect(await sendBatch(server.url, bootstrapKey, batch)).toBe(true);
  await post("/api/releases", { service, release: reportedRelease }, { "x-api-key": bootstrapKey });
  await post("/api/keys", { name: keyName, scope: "send" });
  await post("/api/alert-sources", { kind: "grafana", name: sourceName, inputs: {} });
});
afterAll(() => opened?.end());

/** Posts with a key, or with the session of the page. */
async function post(path: string, data: object, headers: Record<string, string> = {}): Promise<void> {
  const answer = await page.request.post(server.url + path, { data, headers });
  expect([path, answer.status()]).toEqual([path, 200]);
}

const shown = (text: string): string => text.replaceAll(reversing, mark);

/** Returns the texts of the page that reverse the writing direction, including those read aloud or shown on hover. */
function reversedTexts(): Promise<unknown> {
  return page.evaluate(`(() => {
    const named = [...document.querySelectorAll("*")].flatMap((element) =>
      ["aria-label", "title", "alt", "placeholder"].map((name) => element.getAttribute(name) ?? ""));
    return [document.title, ...document.documentElement.innerText.split("\\n"), ...named]
      .filter((text) => /\\p{Bidi_Control}/u.test(text));
  })()`);
}

describe("characters that hide what a text says are shown as a mark", () => {
  it.each([
    ["/incidents", [message, service]],
    ["/failures?show=all", [message, service]],
    ["/services", [service, release]],
    ["/settings/keys", [keyName]],
    ["/settings/sources", [service, reportedRelease]],
    ["/settings/triggers", [sourceName]],
    ["/settings/audit", [keyName, sourceName]],
  ])("on %s", async (path, texts) => {
    await page.goto(server.url + path);
    for (const text of texts) await page.getByText(shown(text)).and(page.locator(":visible")).first().waitFor();
    expect(await reversedTexts()).toEqual([]);
  });

  it("on an incident's page with all of its evidence, and in the window's title", async () => {
    await page.goto(`${server.url}/incidents`);
    await page.getByRole("link", { name: shown(message) }).click();
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    await page.getByRole("heading", { name: /^Evidence/ }).click();
    await page.getByRole("button", { name: /Open all/ }).click();
    expect(await page.title()).toContain(shown(message));
    expect(await reversedTexts()).toEqual([]);
  });

  it("in the confirmation of a deletion", async () => {
    await page.goto(`${server.url}/settings/triggers`);
    await page.getByRole("button", { name: `Remove ${shown(sourceName)}` }).click();
    await page.getByRole("heading", { name: `Remove ${shown(sourceName)}?` }).waitFor();
    expect(await reversedTexts()).toEqual([]);
  });
});
