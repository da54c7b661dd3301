import { afterAll, beforeAll, describe, it } from "vitest";
import type { EventStore } from "../src/index.ts";
import { describeDeliveries } from "./events/contract/deliveries.ts";
import { describeEvents } from "./events/contract/events.ts";
import { describeFailures } from "./events/contract/failures.ts";
import { describeServices } from "./events/contract/services.ts";
import { describeSurroundings } from "./surroundings.contract.ts";

/** What every connection of the {@link EventStore} does. `open` opens the same data each time, kept for years. */
export function describeEventStore(name: string, open: () => Promise<EventStore>): void {
  let opened: EventStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  const store = (): EventStore => opened;

  describeSurroundings(name, store);
  describeEvents(name, store, async () => {
    await opened.close();
    opened = await open();
  });
  describeFailures(name, store);
  describeServices(name, store);
  describeDeliveries(name, store);

  describe(`${name}: check`, () => {
    it("resolves while the store answers", async () => {
      await store().check();
    });
  });
}
