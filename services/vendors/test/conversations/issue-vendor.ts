import { expect, it } from "vitest";
import type { Place } from "../../src/alert-senders/announcement.ts";
import type { SenderInputs } from "../../src/alert-senders/sender-inputs.ts";
import type { ConversationClient, ConversationVendor } from "../../src/conversations/conversation-vendor.ts";
import { vendorLimits } from "../../src/http/vendor-limits.ts";
import { startVendorServer, type VendorAnswerOf } from "../http/vendor-server.ts";
import { messageOf } from "./message.ts";

interface Refusing {
  readonly vendor: ConversationVendor;
  readonly name: string;
  readonly inputs: SenderInputs;
  readonly place: Place;
  /** How it refuses for the rate, and for how long it asks to wait. */
  readonly limited: readonly (readonly [string, VendorAnswerOf, number | null])[];
}

const { signal } = new AbortController();
const options = { replaces: null, key: "key", signal };

/** Everything that is asked of a vendor of issues, each by its name. */
function questionsOf(client: ConversationClient, place: Place): Readonly<Record<string, () => Promise<unknown>>> {
  return {
    read: () => client.read(place, signal),
    post: () => client.post(place, messageOf("answer"), options),
    edit: () => client.post(place, messageOf("answer"), { ...options, replaces: "5" }),
    show: () => client.show(place, "COMPLETED", signal),
  };
}

/** What a vendor of issues says of each refusal, to whatever is asked, and that none of it has a credential in it. */
export function itKeepsRefusals({ vendor, name, inputs, place, limited }: Refusing): void {
  const refusals: readonly (readonly [string, VendorAnswerOf, object])[] = [
    ["401", { status: 401 }, { reason: "unauthorized", message: expect.stringContaining("enter a valid one") }],
    ["403", { status: 403, body: { message: "locked" } }, { reason: "forbidden" }],
    ["404", { status: 404 }, { reason: "not-found", message: expect.stringContaining("no such issue") }],
    ["410, of a deleted issue", { status: 410 }, { reason: "not-found" }],
    ["500", { status: 500 }, { reason: "unavailable" }],
    ["what is no JSON", { body: "<html>" }, { reason: "unexpected-answer" }],
    ["another shape", { body: { hello: 1 } }, { reason: "unexpected-answer" }],
    ...limited.map(([how, answer, retryAfterMs]) => [how, answer, { reason: "rate-limited", retryAfterMs }] as const),
  ];
  it.each(refusals)("keeps the reason of %s, without the token", async (_name, answer, expected) => {
    const server = await startVendorServer();
    server.answer(() => answer);
    const client = vendor.open(inputs, server.context);
    for (const ask of Object.values(questionsOf(client, place))) {
      const failure = await ask().catch((error: unknown) => error);
      expect(failure).toMatchObject({ name: "VendorFailure", ...expected });
      expect(String(failure)).toContain(name);
      expect(String(failure)).not.toContain(inputs.token);
    }
    await client.close();
    await server.close();
  });

  it(
    "doesn't wait for an answer that doesn't come",
    async () => {
      const server = await startVendorServer();
      server.answer(() => undefined);
      const client = vendor.open(inputs, server.context);
      await expect(client.post(place, messageOf("answer"), options)).rejects.toMatchObject({ reason: "too-slow" });
      expect(server.requests).toHaveLength(1);
      await client.close();
      await server.close();
    },
    vendorLimits.requestTimeoutMs * 3,
  );

  it("ends with the caller's signal", async () => {
    const server = await startVendorServer();
    server.answer(() => undefined);
    const client = vendor.open(inputs, server.context);
    const leaving = new AbortController();
    const reading = client.read(place, leaving.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    leaving.abort();
    await expect(reading).rejects.toMatchObject({ name: "AbortError" });
    await client.close();
    await server.close();
  });

  it("never reaches an address that may not be reached", async () => {
    const server = await startVendorServer();
    const guarded = { ...server.context, mayReach: () => false };
    await expect(vendor.verify(inputs, guarded)).rejects.toMatchObject({ reason: "refused-address" });
    const own = { ...inputs, base_url: server.url };
    await expect(vendor.verify(own, guarded)).rejects.toMatchObject({ reason: "refused-address" });
    await expect(vendor.verify({ ...inputs, base_url: "ftp://example.com" }, guarded)).rejects.toMatchObject({
      reason: "invalid-input",
    });
    expect(server.requests).toEqual([]);
    await server.close();
  });
}
