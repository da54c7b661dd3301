import { z } from "zod";
import type { VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion } from "../integrations/integration.ts";
import { countedLines, type LogFinding } from "../integrations/log-lines.ts";

/**
 * https://developers.cloudflare.com/analytics/graphql-api/tutorials/end-customer-analytics/; `data` is null without
 * permission.
 */
const trafficSchema = z.object({
  data: z
    .object({
      viewer: z.object({
        zones: z.array(
          z.object({
            httpRequestsAdaptiveGroups: z.array(
              z.object({
                count: z.number(),
                dimensions: z.object({
                  clientRequestHTTPHost: z.string(),
                  edgeResponseStatus: z.number(),
                  originResponseStatus: z.number(),
                  datetimeMinute: z.string(),
                }),
              }),
            ),
          }),
        ),
      }),
    })
    .nullable(),
});

const groupsMax = 100;
const findingsMax = 5;

const query = `query FailedAnswers($zones: [string!], $filter: ZoneHttpRequestsAdaptiveGroupsFilter_InputObject!, $limit: uint64!) {
  viewer {
    zones(filter: { zoneTag_in: $zones }) {
      httpRequestsAdaptiveGroups(limit: $limit, filter: $filter, orderBy: [count_DESC]) {
        count
        dimensions { clientRequestHTTPHost edgeResponseStatus originResponseStatus datetimeMinute }
      }
    }
  }
}`;

interface Asked {
  readonly zones: readonly string[];
  readonly hosts: readonly string[];
  readonly about: FailureQuestion;
}

/** Returns the responses with status 500 and above for these hosts, by the status of the origin. */
export async function failedAnswers(
  http: VendorHttp,
  { zones, hosts, about }: Asked,
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  const filter = {
    datetime_geq: about.from,
    datetime_lt: about.to,
    edgeResponseStatus_geq: 500,
    clientRequestHTTPHost_in: hosts,
  };
  const json = { query, variables: { zones, filter, limit: groupsMax } };
  const { body } = await http.json({ method: "POST", path: "/graphql", json, schema: trafficSchema }, signal);
  const groups = body.data?.viewer.zones.flatMap((zone) => zone.httpRequestsAdaptiveGroups) ?? [];
  const lines = groups.map(({ count, dimensions }): LogFinding => {
    const { clientRequestHTTPHost: source, edgeResponseStatus: status, originResponseStatus: origin } = dimensions;
    const cause = origin === 0 ? "the origin didn't answer" : `the origin answered ${origin}`;
    const message = `Cloudflare answered ${status}: ${cause}`;
    return {
      kind: "log",
      vendor: "Cloudflare",
      url: null,
      level: "error",
      message,
      source,
      at: dimensions.datetimeMinute,
      count,
    };
  });
  return countedLines(lines, about.at).slice(0, findingsMax);
}
