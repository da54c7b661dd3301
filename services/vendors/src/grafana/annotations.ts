import type { OutsideFinding } from "@whence/protocol";
import { z } from "zod";
import { epochMilliseconds } from "../integrations/epoch-times.ts";
import type { GrafanaQuestion } from "./grafana-question.ts";

/** https://grafana.com/docs/grafana/latest/developers/http_api/annotations/#find-annotations */
const annotationsSchema = z.array(
  z.object({
    time: epochMilliseconds,
    /** 0 for a single point in time. */
    timeEnd: epochMilliseconds.nullish(),
    text: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    login: z.string().nullish(),
    dashboardUID: z.string().nullish(),
    alertName: z.string().nullish(),
    /** The new state of an alert: `Alerting`. */
    newState: z.string().nullish(),
  }),
);

type Annotation = z.infer<typeof annotationsSchema>[number];
type What = Extract<OutsideFinding, { kind: "change-event" }>["what"];

const annotationsMax = 100;

/** Words that mark a change, in the order in which they decide. */
const changes: readonly (readonly [RegExp, What])[] = [
  [/\bfeature[ _-]?(?:flag|toggle)/i, "feature-flag"],
  [/\broll(?:ed|ing|s)?[ _-]?(?:back|out)/i, "rollout"],
  [/deploy|\bship(?:ped|s)?\b/i, "deployment"],
  [/\breleas/i, "release"],
  [/\bdns\b/i, "dns"],
  [/\bfirewall\b/i, "firewall"],
  [/\bconfig|\bmigrat|\bsetting|\bscal(?:ed?|ing)\b|\bupgrad|\bmaintenance\b/i, "configuration"],
];

/** Returns annotated changes, and alerts whose change of state Grafana recorded, of the whole organization. */
export async function grafanaAnnotations({ http, address, about, signal }: GrafanaQuestion): Promise<OutsideFinding[]> {
  const query = { from: Date.parse(about.from), to: Date.parse(about.to), limit: annotationsMax };
  const { body } = await http.json({ path: "/api/annotations", query, schema: annotationsSchema }, signal);
  return body.flatMap((annotation) => {
    const { dashboardUID: uid } = annotation;
    const url = uid ? `${address}/d/${encodeURIComponent(uid)}` : null;
    return annotation.newState ? alarmOf(annotation, url) : changeOf(annotation, url, about.service);
  });
}

function changeOf({ time, text, tags, login }: Annotation, url: string | null, service: string): OutsideFinding[] {
  const title = text?.replaceAll(/<[^>]*>/g, " ").trim() || (tags ?? []).join(", ");
  const words = [...(tags ?? []), title].join(" ");
  const what = changes.find(([pattern]) => pattern.test(words))?.[1];
  if (what === undefined) return [];
  const failed = /\bfail(?:ed|ure)?\b/i.test(words) ? true : null;
  const target = targetOf(tags ?? [], service);
  return [{ kind: "change-event", what, vendor: "Grafana", title, target, at: time, by: login || null, failed, url }];
}

/** Returns the service of a tag such as `service:orders`, or a tag that is the failing service's name. */
function targetOf(tags: readonly string[], service: string): string | null {
  const named = tags.find((tag) => /^(?:service|app|application|component|project)[:=]/i.test(tag));
  return (
    named?.replace(/^[^:=]*[:=]\s*/, "") ?? tags.find((tag) => tag.toLowerCase() === service.toLowerCase()) ?? null
  );
}

function alarmOf({ time, timeEnd, alertName, text, newState }: Annotation, url: string | null): OutsideFinding[] {
  if (!/^alerting/i.test(newState ?? "")) return [];
  const title = alertName || text || "alert";
  const until = timeEnd && Date.parse(timeEnd) > Date.parse(time) ? timeEnd : null;
  return [{ kind: "problem", what: "alarm", vendor: "Grafana", title, target: null, since: time, until, url }];
}
