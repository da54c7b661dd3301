import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client } from "../../src/client.ts";
import { resolveOptions } from "../../src/options.ts";
import { startGateway, type TestGateway } from "../gateway.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

/** Sends an event with a client's key in its message, its breadcrumb, and its attributes. */
async function sendWith(apiKey: string): Promise<string> {
  const given = { apiKey, endpoint: gateway.url, spool: false, logs: false, hangWatch: false } as const;
  const options = resolveOptions(given, (message) => expect.fail(message));
  if (!options) throw new Error("no options");
  const client = new Client(options);
  client.start([]);
  client.breadcrumbs.add({ category: "step", message: `with ${apiKey}`, data: { given: [apiKey] } });
  client.capture.exception(new Error(`401 for ${apiKey}`), { attributes: { config: { key: apiKey } } });
  await client.delivery.flush();
  await client.close(1_000);
  return JSON.stringify(gateway.events());
}

describe("an event", () => {
  it("never has the client's own key", async () => {
    // Joined here, since the event has the source of this test.
    const key = ["wha_0123456789", "abcdef"].join('"\\');
    const sent = await sendWith(key);
    expect(sent).not.toContain(JSON.stringify(key).slice(1, -1));
    expect(sent).toContain("401 for [redacted]");
  });

  it("keeps a word that was chosen as a key", async () => {
    expect(await sendWith("key")).toContain("401 for key");
  });
});
