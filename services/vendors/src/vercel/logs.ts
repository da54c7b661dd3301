import { z } from "zod";
import { parseBoundedJson } from "../http/bounded-json.ts";
import type { VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion } from "../integrations/integration.ts";
import { countedLines, type LogFinding } from "../integrations/log-lines.ts";

const vendor = "Vercel";

/**
 * https://vercel.com/docs/rest-api/deployments/get-deployment-events: an event is flat, or has its text in a payload.
 */
const eventsSchema = z.array(
  z.object({
    type: z.string(),
    level: z.string().optional(),
    created: z.number().optional(),
    date: z.number().optional(),
    text: z.string().optional(),
    payload: z.object({ text: z.string().optional(), date: z.number().optional() }).optional(),
  }),
);

/** https://vercel.com/docs/rest-api/logs/get-logs-for-a-deployment */
const runtimeLineSchema = z.object({
  level: z.string(),
  message: z.string(),
  source: z.string(),
  timestampInMs: z.number(),
  requestMethod: z.string().optional(),
  requestPath: z.string().optional(),
  responseStatusCode: z.number().optional(),
});

/** Maximum lines of a build's log, and of a function's. */
const linesMax = 5;
const eventsMax = 100;
const streamLinesMax = 500;
/** The stream of runtime logs doesn't end: what comes within this time is used. */
const streamReadForMs = 2_000;
const troubledLevels: readonly string[] = ["error", "fatal", "warning"];

interface AskedDeployment {
  readonly id: string;
  readonly project: string;
  readonly teamId: string | undefined;
  /** Its page, which has both logs. */
  readonly page: string | null;
}

/** Returns the last errors of a failed build. */
export async function buildLog(
  http: VendorHttp,
  { id, project, teamId, page }: AskedDeployment,
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  const path = `/v3/deployments/${encodeURIComponent(id)}/events`;
  const query = { teamId, direction: "backward", limit: eventsMax };
  const { body } = await http.json({ path, query, schema: eventsSchema }, signal);
  const lines = body.flatMap(({ type, level, created, date, text, payload }): LogFinding[] => {
    const message = (text ?? payload?.text ?? "").trim();
    const at = created ?? date ?? payload?.date;
    const isTrouble = type === "stderr" || type === "fatal" || level === "error";
    if (message === "" || at === undefined || !isTrouble) return [];
    return [logFinding({ level: "error", message, source: `${project} build`, at, url: page })];
  });
  return lines.slice(0, linesMax);
}

/**
 * Returns errors and warnings of a deployment's functions. Vercel streams current lines, along with those it still
 * keeps.
 */
export async function runtimeLog(
  http: VendorHttp,
  { id, project, projectId, teamId, page, about }: AskedDeployment & { projectId: string; about: FailureQuestion },
  signal: AbortSignal,
): Promise<readonly LogFinding[]> {
  const path = `/v1/projects/${encodeURIComponent(projectId)}/deployments/${encodeURIComponent(id)}/runtime-logs`;
  const asked = { path, query: { teamId }, headers: { accept: "application/stream+json" } };
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(streamReadForMs)]);
  const lines = await http.lines(asked, streamLinesMax, bounded);
  const found = lines.flatMap((line) => runtimeFinding(line, { project, page, about }));
  return countedLines(found, about.at).slice(0, linesMax);
}

function runtimeFinding(
  line: string,
  { project, page, about: { from, to } }: Pick<AskedDeployment, "project" | "page"> & { about: FailureQuestion },
): LogFinding[] {
  const parsed = runtimeLineSchema.safeParse(parseBoundedJson(line));
  if (!parsed.success || parsed.data.source === "delimiter") return [];
  const { level, message, timestampInMs: at, requestMethod, requestPath, responseStatusCode } = parsed.data;
  const isWithin = at >= Date.parse(from) && at <= Date.parse(to);
  if (!isWithin || !troubledLevels.includes(level)) return [];
  const answered = [requestMethod, requestPath, responseStatusCode].filter((part) => part !== undefined && part !== "");
  const said = [answered.join(" "), message].filter(Boolean).join(": ");
  return [logFinding({ level, message: said, source: project, at, url: page })];
}

type LoggedLine = Pick<LogFinding, "level" | "message" | "source" | "url"> & { readonly at: number };

function logFinding({ at, ...line }: LoggedLine): LogFinding {
  return { kind: "log", vendor, count: 1, at: new Date(at).toISOString(), ...line };
}
