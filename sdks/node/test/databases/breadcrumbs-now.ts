import { captureException, flush } from "../../src/index.ts";
import type { TestGateway } from "../gateway.ts";

/** Returns the data of an event's database breadcrumbs, captured now, without durations. */
export async function callsNow(gateway: TestGateway): Promise<Record<string, unknown>[]> {
  captureException(new Error("now"));
  await flush();
  const trail = gateway.events("exception").at(-1)?.breadcrumbs ?? [];
  return trail
    .filter(({ category }) => category === "db")
    .map(({ data = {} }) => {
      const { duration_ms, ...rest } = data;
      return { ...rest, ...(typeof duration_ms === "number" && duration_ms >= 0 ? {} : { isOpen: true }) };
    });
}
