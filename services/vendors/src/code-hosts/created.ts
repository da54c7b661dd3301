import { z } from "zod";
import { VendorFailure } from "../http/vendor-failure.ts";
import type { VendorHttp } from "../http/vendor-http.ts";

/** The address of a page for people. */
export const pageSchema = z.url({ protocol: /^https?$/ });

/** A request to create something, and the documented response. */
interface Creation<Body> {
  readonly path: string;
  readonly json: object;
  readonly schema: z.ZodType<Body>;
}

/** Returns what a host created; throws the host's reason when it refuses, which `refused` reads. */
export async function created<Body>(
  http: Pick<VendorHttp, "json">,
  { path, json, schema }: Creation<Body>,
  refused: z.ZodType<VendorFailure>,
  signal: AbortSignal,
): Promise<Body> {
  const asked = { method: "POST", isUnrepeatable: true, path, json, schema: schema.or(refused) } as const;
  const { body } = await http.json(asked, signal);
  if (body instanceof VendorFailure) throw body;
  return body;
}
