import { type OutsideFinding, secondMs } from "@whence/protocol";
import { z } from "zod";
import { vendorAddress } from "../http/addresses.ts";
import { readPages } from "../http/read-pages.ts";
import { openVendorHttp, type VendorHttp } from "../http/vendor-http.ts";
import { answeredParts } from "../integrations/answered-parts.ts";
import { calledSandboxesFirst } from "../integrations/called-sandboxes.ts";
import type { FailureQuestion, Integration } from "../integrations/integration.ts";
import { countedLines, type LogFinding } from "../integrations/log-lines.ts";

const vendor = "Daytona";
const inputsSchema = z.object({ api_key: z.string() });

/** `GET /api-keys/current` of https://www.daytona.io/docs/en/tools/api/#daytona/tag/api-keys */
const keySchema = z.object({ name: z.string(), organizationId: z.string().nullish() });

/** `GET /sandbox` of https://www.daytona.io/docs/en/tools/api/#daytona/tag/sandbox */
const sandboxesSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.string().optional(),
      errorReason: z.string().nullish(),
      updatedAt: z.string().nullish(),
      lastActivityAt: z.string().nullish(),
    }),
  ),
  nextCursor: z.string().nullable(),
});
type Sandbox = z.infer<typeof sandboxesSchema>["items"][number];

/** `GET /sandbox/{sandboxId}/telemetry/logs` of https://www.daytona.io/docs/en/tools/api/#daytona/tag/sandbox */
const logsSchema = z.object({
  items: z.array(z.object({ timestamp: z.string(), body: z.string(), severityText: z.string() })),
});

/** https://www.daytona.io/docs/en/audit-logs/ */
const auditSchema = z.object({
  items: z.array(
    z.object({
      actorEmail: z.string(),
      action: z.string(),
      targetType: z.string().nullish(),
      targetId: z.string().nullish(),
      statusCode: z.number().nullish(),
      errorMessage: z.string().nullish(),
      createdAt: z.string(),
    }),
  ),
});

/** The page of a sandbox in Daytona's dashboard, which has no span of time in its address. */
function pageOf(sandboxId: string): string {
  return `https://app.daytona.io/dashboard/sandboxes/${encodeURIComponent(sandboxId)}`;
}

const perPage = 100;
/** Maximum sandboxes whose logs are read, and lines of each. */
const sandboxesMax = 3;
const linesMax = 5;
const firstFailedStatus = 400;
const failedStates = ["error", "build_failed"];
const endingActions: readonly string[] = ["delete", "stop", "archive"];

/** Daytona: failed sandboxes, their logs, and who ended one. https://www.daytona.io/docs/en/tools/api/ */
export const daytona: Integration = {
  kind: "sandbox",
  vendor,
  checkedAgainst: "a double of our own, with answers in the types of Daytona's own client",
  takes: (inputs) => inputs.api_key?.startsWith("dtn_") ?? false,
  connect(inputs, context) {
    const { api_key: key } = inputsSchema.parse(inputs);
    const http = openVendorHttp({
      ...context,
      vendor,
      baseUrl: vendorAddress("https://app.daytona.io/api", context),
      headers: { authorization: `Bearer ${key}` },
      retryAfterMs: retryAfterOfThrottler,
    });
    const current = (signal: AbortSignal): Promise<z.infer<typeof keySchema>> =>
      http.json({ path: "/api-keys/current", schema: keySchema }, signal).then(({ body }) => body);
    return {
      async verify(signal) {
        const { name, organizationId } = await current(signal);
        return organizationId ? `${name}, organization ${organizationId}` : name;
      },
      async ask(about, signal) {
        const { organizationId } = await current(signal);
        const [failed = [], ended = []] = await answeredParts(
          [
            failuresOf(http, about, signal),
            organizationId ? endedSandboxes(http, { organizationId, about }, signal) : Promise.resolve([]),
          ],
          about,
        );
        return [...failed, ...ended];
      },
      close: () => http.close(),
    };
  },
};

/**
 * Daytona's header names the limit that was hit: `Retry-After-authenticated`.
 * https://www.daytona.io/docs/en/rate-limits
 */
function retryAfterOfThrottler(headers: Readonly<Record<string, string>>): number | null {
  const [, seconds] = Object.entries(headers).find(([name]) => name.startsWith("retry-after-")) ?? [];
  return seconds === undefined || Number.isNaN(Number(seconds)) ? null : Number(seconds) * secondMs;
}

async function failuresOf(
  http: VendorHttp,
  about: FailureQuestion,
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const failed = calledSandboxesFirst(await failedSandboxes(http, about, signal), ({ id }) => id, about);
  const logs = failed.slice(0, sandboxesMax).map((sandbox) => logsOf(http, { sandbox, about }, signal));
  const parts = await answeredParts(
    [Promise.resolve(failed.map((sandbox) => failureOf(sandbox, about))), ...logs],
    about,
  );
  return parts.flat();
}

function failedSandboxes(
  http: VendorHttp,
  { from, to }: FailureQuestion,
  signal: AbortSignal,
): Promise<readonly Sandbox[]> {
  const span = { lastEventAfter: from, lastEventBefore: to, includeErroredDeleted: "true" };
  return readPages<Sandbox, string>(async (cursor, own) => {
    const query = { states: failedStates, ...span, limit: perPage, cursor: cursor ?? undefined };
    const { body } = await http.json({ path: "/sandbox", query, schema: sandboxesSchema }, own);
    return { items: body.items, next: body.nextCursor };
  }, signal);
}

function failureOf(
  { id, name, state, errorReason, updatedAt, lastActivityAt }: Sandbox,
  about: FailureQuestion,
): OutsideFinding {
  return {
    kind: "problem",
    what: "stopped",
    vendor,
    target: name,
    url: pageOf(id),
    until: null,
    title: [state, errorReason].filter(Boolean).join(": "),
    since: updatedAt ?? lastActivityAt ?? about.at,
  };
}

async function logsOf(
  http: VendorHttp,
  { sandbox, about }: { sandbox: Sandbox; about: FailureQuestion },
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  const path = `/sandbox/${encodeURIComponent(sandbox.id)}/telemetry/logs`;
  const query = { from: about.from, to: about.to, page: 1, limit: perPage, severities: ["WARN", "ERROR"] };
  const { body } = await http.json({ path, query, schema: logsSchema }, signal);
  const lines = body.items.map(({ timestamp: at, body: message, severityText: level }): LogFinding => {
    return { kind: "log", vendor, url: pageOf(sandbox.id), level, message, source: sandbox.name, at, count: 1 };
  });
  return countedLines(lines, about.at).slice(0, linesMax);
}

/** Requires permission to read audit logs, which few keys have. */
async function endedSandboxes(
  http: VendorHttp,
  { organizationId, about }: { organizationId: string; about: FailureQuestion },
  signal: AbortSignal,
): Promise<readonly OutsideFinding[]> {
  const path = `/audit/organizations/${encodeURIComponent(organizationId)}`;
  const query = { from: about.from, to: about.to, page: 1, limit: perPage };
  const { body } = await http.json({ path, query, schema: auditSchema }, signal);
  const ended = body.items.filter(
    ({ action, targetType }) => targetType === "sandbox" && endingActions.includes(action),
  );
  return ended.map(({ actorEmail, action, targetId, statusCode, errorMessage, createdAt }): OutsideFinding => {
    return {
      kind: "change-event",
      what: "configuration",
      vendor,
      target: targetId ?? null,
      // A deleted sandbox has no page.
      url: targetId && action !== "delete" ? pageOf(targetId) : null,
      at: createdAt,
      by: actorEmail,
      title: [`${action} sandbox`, errorMessage].filter(Boolean).join(": "),
      failed: statusCode == null ? null : statusCode >= firstFailedStatus,
    };
  });
}
