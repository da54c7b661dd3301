import { queryOptions } from "@tanstack/react-query";
import { type Instructions, instructionsHistorySchema, instructionsSchema } from "@whence/protocol";
import { request } from "../../../lib/api-client.ts";

/** The current instructions. */
export const instructionsQuery = queryOptions({
  queryKey: ["settings", "instructions"],
  queryFn: ({ signal }) => request(instructionsSchema, "/api/instructions", { signal }),
});

/** The stored versions, newest first. */
export const instructionsHistoryQuery = queryOptions({
  queryKey: ["settings", "instructions", "history"],
  queryFn: ({ signal }) => request(instructionsHistorySchema, "/api/instructions/history", { signal }),
});

/** `version` is the version that was read; rejects with 409 when it is no longer the latest. */
export function writeInstructions(change: { text: string; version: number }): Promise<Instructions> {
  return request(instructionsSchema, "/api/instructions", { method: "PUT", body: change });
}
