import { limits } from "@whence/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../servers/server-process.ts";
import {
  becomeOwner,
  isRefusal,
  type OpenedService,
  openService,
  problemsEverywhere,
  type WatchedPage,
} from "./web-page.ts";

let opened: OpenedService;
let server: ServerProcess;
let ada: WatchedPage;
let page: Page;

beforeAll(async () => {
  opened = await openService();
  ({ server, window: ada, page } = opened);
  await becomeOwner(page, server);
  await page.goto(`${server.url}/analyze`);
});
afterAll(() => opened?.end());

const errorLog = [
  "2026-11-21T09:30:00Z INFO listening on 3000",
  "TypeError: Cannot read properties of undefined (reading 'total')",
  "    at showCart (/srv/app/src/cart.js:2:21)",
  "    at checkout (/srv/app/src/checkout.js:40:3)",
  "    at Layer.handle (/srv/app/node_modules/express/lib/router/layer.js:95:5)",
].join("\n");
const cart = "function showCart(session) {\n  return session.cart.total;\n}\nmodule.exports = { showCart };\n";
/** The map of a line that esbuild made from `src/show.ts`. */
const map = JSON.stringify({
  version: 3,
  sources: ["../src/show.ts"],
  names: [],
  sourcesContent: ["export function show(order) {\n  return order.total;\n}\n"],
  mappings: "AAAO,SAAS,KAAK,GAAc,CACjC,OAAO,EAAM,KACf",
});

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});
const choose = (...files: ReturnType<typeof file>[]) => page.locator("input[data-files]").setInputFiles(files);
const text = () => page.getByLabel("Error", { exact: true });

describe("an analysis by hand", () => {
  it("shows how a text was read before anything is sent, and which files would help", async () => {
    await page.getByRole("heading", { name: "Analyze" }).waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await text().fill(errorLog);
    await page.getByText("Read as a JavaScript error").waitFor();
    await page.getByText("Attach these files").waitFor();
    const frames = page.getByRole("list", { name: "Frames of TypeError" });
    expect(await frames.getByRole("listitem").allTextContents()).toEqual([
      expect.stringContaining("showCart/srv/app/src/cart.js:2"),
      expect.stringContaining("checkout/srv/app/src/checkout.js:40"),
      expect.stringContaining("layer.js:95"),
    ]);
  });

  it("says why there is no preview, and gets it at the next try", async () => {
    await page.route("**/api/analyze/preview", (route) =>
      route.fulfill({ status: 429, json: { detail: "too many requests: try again in 9 seconds", code: "W" } }),
    );
    await text().fill(`${errorLog}\n`);
    await page.getByText("Too many requests").waitFor();
    await page.getByText("You can still send it.").waitFor();
    await page.unroute("**/api/analyze/preview");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Read as a JavaScript error").waitFor();
    await text().fill(errorLog);
  });

  it("says which frames the files belong to, and which file has another version", async () => {
    await choose(file("cart.js", cart), file("checkout.js", "// shorter than it was\n"));
    await page.getByText("in cart.js").waitFor();
    await page.getByText("checkout.js has no line 40. It may be another version.").waitFor();
    await page.getByText("Attach these files").waitFor({ state: "detached" });
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("maps a frame of compiled code to its source with a map among the files", async () => {
    await text().fill("TypeError: total\n    at show (/srv/dist/show.js:1:27)");
    await page.getByText("/srv/dist/show.js:1").waitFor();
    await choose(file("show.js.map", map));
    await page.getByText("compiled: /srv/dist/show.js:1").waitFor();
    await page.getByText("src/show.ts:2").waitFor();
    await page.getByText("in show.js.map").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "Remove show.js.map" }).click();
    await text().fill(errorLog);
  });

  it("rejects what can't be sent, file by file, and keeps the rest", async () => {
    await choose(
      file("large.log", Buffer.alloc(limits.fileContentBytesMax + 1, "x")),
      file("photo.png", Buffer.from([0x89, 0x50, 0, 0])),
      file("fits.log", Buffer.alloc(limits.fileContentBytesMax, "x")),
    );
    await page.getByText("large.log is 1.1 MiB; the limit is 1 MiB.").waitFor();
    await page.getByText("photo.png isn't a text file.").waitFor();
    await page.getByRole("button", { name: "Remove fits.log" }).waitFor();
    await page.getByRole("button", { name: "Remove checkout.js" }).click();
    await choose(...Array.from({ length: 19 }, (_, index) => file(`${index}.js`, "")));
    await page.getByText("18.js was left out: the limit is 20 files.").waitFor();
    expect(await page.getByRole("button", { name: /^Remove / }).count()).toBe(limits.filesMax);
    expect(await text().inputValue()).toBe(errorLog);
  });

  it("accepts files dropped anywhere on the page", async () => {
    await page.getByRole("button", { name: "Remove 0.js" }).click();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(["let dropped;"], "dropped.js"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await page.getByRole("button", { name: "Remove dropped.js" }).waitFor();
  });

  it("says that a text is too long, keeps it, and doesn't send it", async () => {
    await text().fill("x".repeat(limits.errorLogBytesMax + 1));
    await page.getByText("Remove the lines furthest from the error").waitFor();
    expect(await page.getByRole("button", { name: "Analyze" }).isDisabled()).toBe(true);
    await text().fill(errorLog);
    await page.getByText("Remove the lines furthest").waitFor({ state: "detached" });
  });

  it("keeps the draft while another page is open", async () => {
    await page.getByRole("link", { name: "Accuracy" }).click();
    await page.getByRole("heading", { name: "Accuracy" }).waitFor();
    await page.goBack();
    expect(await text().inputValue()).toBe(errorLog);
    await page.getByRole("button", { name: "Remove cart.js" }).waitFor();
  });

  it("keeps the draft when sending fails, and says why", async () => {
    await page.route("**/api/analyze", (route) =>
      route.fulfill({ status: 429, json: { detail: "too many requests: try again in 9 seconds", code: "W" } }),
    );
    await page.getByRole("button", { name: "Analyze" }).click();
    await page.getByText("Too many requests").waitFor();
    expect(await text().inputValue()).toBe(errorLog);
    await page.unroute("**/api/analyze");
  });

  it("is sent, and leads to the incident, which gets its report with the attached code", async () => {
    await text().focus();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "Root cause" }).waitFor();
    expect(page.url()).toMatch(/\/incidents\/inc_/);
    expect(await page.locator("mark").first().textContent()).toContain("session.cart.total");
    await page.getByRole("link", { name: "Analyze" }).click();
    await expect.poll(() => text().inputValue()).toBe("");
  });

  it("recognizes a description in plain words", async () => {
    await text().fill("The shop is slow since noon.");
    await page.getByText("Read as a description in words.").waitFor();
    await page.getByText("none in a known format").waitFor();
    expect(await problemsEverywhere(page)).toEqual([]);
  });

  it("leaves nothing in the console, and sends requests only to the service", () => {
    expect(ada.noticed.filter((line) => !isRefusal(line))).toEqual([]);
  });
});
