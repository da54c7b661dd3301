import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { openVendorHttp, type VendorAnswer, type VendorRequest } from "../http/vendor-http.ts";
import type { OutboundContext } from "../outbound-context.ts";
import { refusalSchema, SlackRefusal } from "./refusals.ts";

/** Slack's Web API as one token. Every rejection is a `VendorFailure`, unless the caller's signal fired. */
export interface SlackWebApi {
  call<Body>(method: string, asked: SlackCall<Body>, signal: AbortSignal): Promise<VendorAnswer<Body>>;
  close(): Promise<void>;
}

/** The arguments of a method: in the query of one that reads, as JSON of one that writes. */
export interface SlackCall<Body> extends Pick<VendorRequest<Body>, "query" | "json" | "isUnrepeatable"> {
  /** What Slack documents that it answers, beside `ok`. */
  readonly schema: z.ZodType<Body>;
}

interface SlackWebApiOptions {
  readonly token: string;
  /** What people know the token as: `bot token`. */
  readonly credential: string;
}

/** Opens https://docs.slack.dev/apis/web-api, which answers 200 to what it refuses, too. */
export function openSlackWebApi({ token, credential }: SlackWebApiOptions, context: OutboundContext): SlackWebApi {
  const http = openVendorHttp({
    ...{ ...context, vendor: "Slack", baseUrl: vendorAddress("https://slack.com/api", context) },
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
