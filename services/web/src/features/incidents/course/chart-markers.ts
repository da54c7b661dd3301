import { changeEventSchema, type Incident, type IncidentTelemetry, parseJson } from "@whence/protocol";
import type { ChartMarker } from "../../../components/course-chart.tsx";
import { plainText } from "../plain-text.ts";
import { suspectRelease } from "../suspect-release.ts";

/** An alert that joined the incident. */
interface FiredAlert {
  readonly title: string;
  readonly fired_at: string;
}

/** Returns the deploys, flags, and alerts within the span of a chart, the earliest first, each once. */
export function chartMarkers(
  { report, trigger }: Pick<Incident, "report" | "trigger">,
  { from, to, timeline }: Pick<IncidentTelemetry, "from" | "to" | "timeline">,
  alerts: readonly FiredAlert[],
): ChartMarker[] {
  const found: ChartMarker[] = [
    ...timeline.filter(({ kind }) => kind === "deploy").map(({ at, text }) => marker(at, "deploy", text)),
    ...releaseOf(report, timeline),
    ...(report?.evidence ?? []).flatMap(changeOf),
    ...alerts.map(({ title, fired_at: at }) => marker(at, "alert", title)),
    ...(trigger.kind === "alert" && alerts.length === 0
      ? [marker(trigger.at, "alert", `alert from ${trigger.sender}`)]
      : []),
  ];
  const within = found.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
  const byTime = within.sort((a, b) => a.at - b.at);
  return byTime.filter(
    ({ at, kind }, index) => !byTime.slice(0, index).some((one) => one.at === at && one.kind === kind),
  );
}

function marker(at: string, kind: ChartMarker["kind"], text: string): ChartMarker {
  return { at: Date.parse(at), kind, text: plainText(text) };
}

/** The start of the release that the causal chain begins with, unless the timeline has it: it may be another service's. */
function releaseOf(report: Incident["report"], timeline: IncidentTelemetry["timeline"]): ChartMarker[] {
  const at = report?.chain[0]?.at;
  const suspect = report && suspectRelease(report);
  if (!suspect || at === undefined) return [];
  const { service, release } = suspect;
  const isKnown = timeline.some((one) => one.kind === "deploy" && one.at === at && one.text.includes(release));
  return isKnown ? [] : [marker(at, "deploy", `${service} ${release}`)];
}

/** A change that a connected system reported. */
function changeOf({
  source,
  excerpt,
}: {
  readonly source: { readonly kind: string };
  readonly excerpt: string;
}): ChartMarker[] {
  if (source.kind !== "integration") return [];
  const parsed = changeEventSchema.safeParse(parseJson(excerpt));
  if (!parsed.success) return [];
  const { what, title, at } = parsed.data;
  return [marker(at, what === "feature-flag" ? "flag" : "deploy", title)];
}
