import { z } from "zod";
import { type ReleaseCount, releasesComparedMax, type ServiceSpan } from "../service-telemetry.ts";
import { bounded, failuresWhere, inWindow } from "./activity.ts";
import { measuredAnswers } from "./answers.ts";
import type { Ask } from "./query.ts";
import { heartbeatsOnce, ofService, serviceParameters } from "./service-course.ts";

const count = z.coerce.number();
const rowSchema = z.object({ release: z.string(), failures: count, requests: count, failed: count });

/** What each release of a service failed and answered. */
export async function releaseCounts(ask: Ask, scope: string, span: ServiceSpan): Promise<ReleaseCount[]> {
  const rows = await ask(
    `SELECT release, sum(failing) AS failures, sum(answered) AS requests, sum(refused) AS failed
     FROM (
       SELECT toString(release) AS release, ${failuresWhere("true")} AS failing, 0 AS answered, 0 AS refused
       FROM {database:Identifier}.events WHERE ${inWindow} AND fingerprint != '' GROUP BY release
       UNION ALL
       SELECT toString(release) AS release, 0 AS failing, sum(requests) AS answered, sum(failed_requests) AS refused
       FROM ${heartbeatsOnce} GROUP BY release
       UNION ALL
       SELECT toString(release) AS release, 0 AS failing, sum(requests) AS answered, sum(failed_requests) AS refused
       FROM (${measuredAnswers("release", ofService)}) GROUP BY release
     )
     GROUP BY release ORDER BY failures DESC, requests DESC, release LIMIT ${releasesComparedMax} ${bounded}`,
    serviceParameters(scope, span),
  );
  return rows.map((row) => rowSchema.parse(row));
}
