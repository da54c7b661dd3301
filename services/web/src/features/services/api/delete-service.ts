import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

/** Deletes a service with its telemetry and its incidents, in every environment. */
export async function deleteService(service: string): Promise<void> {
  await request(z.unknown(), `/api/services/${encodeURIComponent(service)}`, { method: "DELETE" });
}
