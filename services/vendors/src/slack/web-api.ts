import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { openVendorHttp, type VendorAnswer, type VendorRequest } from "../http/vendor-http.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { refusalSchema, SlackRefusal } from "./refusals.ts";

/** Slack's Web API with one token. Every rejection is a `VendorFailure`, unless the caller's signal fired. */
export interface SlackWebApi {
  call<Body>(method: string, asked: SlackCall<Body>, signal: AbortSignal): Promise<VendorAnswer<Body>>;
  close(): Promise<void>;
}

/** The arguments of a method: in the query for a read, as JSON for a write. */
export interface SlackCall<Body> extends Pick<VendorRequest<Body>, "query" | "json" | "isUnrepeatable"> {
  /** The documented response, in addition to `ok`. */
  readonly schema: z.ZodType<Body>;
}

interface SlackWebApiOptions {
  readonly token: string;
  /** The name of the token, as people know it: `bot token`. */
  readonly credential: string;
}

/** Opens https://docs.slack.dev/apis/web-api, which also responds with 200 when it refuses. */
export function openSlackWebApi({ token, credential }: SlackWebApiOptions, context: OutboundContext): SlackWebApi {
  const http = openVendorHttp({
    ...context,
    vendor: "Slack",
    baseUrl: vendorAddress("https://slack.com/api", context),
    headers: { authorization: `Bearer ${token}` },
  });
  return {
    async call(method, asked, signal) {
      const accepted = z.object({ ok: z.literal(true) }).and(asked.schema);
      const schema = z.union([
        refusalSchema.transform((refusal) => ({ refusal })),
        accepted.transform((answer) => ({ answer })),
      ]);
      const request = { ...asked, method: asked.json === undefined ? "GET" : "POST", path: `/${method}` } as const;
      const { body, headers } = await http.json({ ...request, schema }, signal);
      if ("refusal" in body) throw new SlackRefusal(body.refusal, { method, credential });
      return { body: body.answer, headers };
    },
    close: () => http.close(),
  };
}
