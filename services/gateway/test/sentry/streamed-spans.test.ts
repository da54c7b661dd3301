import { expect, it, vi } from "vitest";
import { Turns, turnBytesMax } from "../../src/plugins/turns.ts";
import { streamedSteps } from "../../src/sentry/streamed-spans.ts";

it.each([
  ["one too large", [8 * turnBytesMax]],
  ["many", Array.from({ length: 800 }, () => turnBytesMax / 100)],
])("an item of 4 MiB waits for further turns while it is read, of %s", async (_, lengths) => {
  const turns = new Turns();
  const take = vi.spyOn(turns, "take");
  const spans = lengths.map((length) => JSON.stringify({ name: "n".repeat(length) }));
  await streamedSteps(Buffer.from(`{"items":[${spans.join(",")}]}`), turns);
  expect(take.mock.calls.length).toBeGreaterThanOrEqual(7);
});
