import type { ServerContext } from "@modelcontextprotocol/server";
import type { RcaProgress } from "./run-rca.ts";

/** Sends progress, only to a client that asked for it. */
export async function notifyProgress({ mcpReq }: ServerContext, { done, total, message }: RcaProgress): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: done, total, message } });
}
