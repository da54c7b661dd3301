import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addBreadcrumb, captureException, captureMessage, close, flush, init } from "../src/index.ts";
import { startGateway, type TestGateway } from "./gateway.ts";

let gateway: TestGateway;
const warnings: string[] = [];
beforeEach(async () => {
  warnings.length = 0;
  vi.spyOn(process, "emitWarning").mockImplementation((warning) => void warnings.push(String(warning)));
  gateway = await startGateway();
  // As a preload does.
  init({ apiKey: "k", endpoint: gateway.url, service: "preloaded", redact: ["iban"] });
});
afterEach(async () => {
  await close(1_000);
  vi.restoreAllMocks();
  await gateway.close();
});

describe("a second init", () => {
  it("is adopted where possible, without a warning", async () => {
    init({
      apiKey: undefined,
      service: "orders",
      env: "STAGING",
      release: "7.1",
      redact: ["phone"],
      ignoreErrors: ["AbortError"],
      beforeSend: (event) => ({ ...event, message: event.message.toUpperCase() }),
      beforeBreadcrumb: (crumb) => (crumb.category === "noise" ? null : crumb),
    });
    addBreadcrumb({ category: "noise" });
    captureMessage("AbortError: stop");
    captureException(new Error("no stock"), { attributes: { iban: "DE00", phone: "555" } });
    await flush();
    expect(gateway.batches[0]).toMatchObject({ service: "orders", env: "STAGING", release: "7.1" });
    expect(gateway.events("log")).toEqual([]);
    expect(gateway.events("exception")).toMatchObject([
      { message: "NO STOCK", attributes: { iban: "[redacted]", phone: "[redacted]" } },
    ]);
    expect(gateway.events("exception")[0]?.breadcrumbs).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it("keeps options that it doesn't name", async () => {
    init({ apiKey: "k", env: "STAGING" });
    captureException(new Error("x"), { attributes: { iban: "DE00" } });
    await flush();
    expect(gateway.batches[0]).toMatchObject({ service: "preloaded", env: "STAGING" });
    expect(gateway.events("exception")).toMatchObject([{ attributes: { iban: "[redacted]" } }]);
    expect(warnings).toEqual([]);
  });

  it("is rejected with one warning that names what can't change", async () => {
    const again = (): void =>
      init({ apiKey: "other", endpoint: "https://other.example.com", service: "x", spool: false });
    again();
    again();
    expect(warnings).toEqual([
      "@whence/node: init was called while the client runs, and can't change apiKey, endpoint, spool: set these where it starts",
    ]);
    captureMessage("x");
    await flush();
    expect(gateway.posts.map(({ headers }) => headers["x-api-key"])).toEqual(["k"]);
  });

  it("can't rename a process that the service already knows", async () => {
    captureMessage("x");
    await flush();
    init({ apiKey: "k", service: "orders", env: "PROD", ignoreErrors: ["AbortError"] });
    captureMessage("AbortError");
    captureMessage("y");
    await flush();
    expect(gateway.batches.map(({ service }) => service)).toEqual(["preloaded", "preloaded"]);
    expect(gateway.events("log").map(({ message }) => message)).toEqual(["x", "y"]);
    expect(warnings).toEqual([expect.stringMatching(/can't change service: /)]);
  });

  it("with enabled: false stops the client, which then sends nothing", async () => {
    init({ apiKey: "k", enabled: "false" });
    expect(captureMessage("x")).toBeUndefined();
    expect(await flush()).toBe(true);
    expect(gateway.posts).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
