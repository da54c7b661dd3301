import { z } from "zod";
import type { AnnouncedAlert, Announcement } from "../alert-senders/announcement.ts";
import { identifier, optionalText, time } from "../text/fields.ts";
import { nameFrom, textFrom, titleFrom } from "../text/plain-text.ts";
import { alarmLink } from "./console-link.ts";

/** CloudWatch writes the zone without a colon: `2026-03-01T12:00:00.000+0000`. */
const stateChangeTime = z
  .string()
  .transform((text) => text.replace(/([+-]\d{2})(\d{2})$/, "$1:$2"))
  .pipe(time);

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_Dimension.html */
const dimensionSchema = z.object({ name: z.string(), value: z.string() });

/**
 * An alarm as CloudWatch publishes it to a topic:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html. An alarm on several
 * metrics, or on other alarms, has no metric of its own.
 */
const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmArn: identifier,
  AlarmDescription: optionalText,
  NewStateValue: z.enum(["ALARM", "OK", "INSUFFICIENT_DATA"]),
  NewStateReason: z.string(),
  StateChangeTime: stateChangeTime,
  Region: optionalText,
  AlarmRule: optionalText,
  Trigger: z
    .object({ MetricName: optionalText, Namespace: optionalText, Dimensions: z.array(dimensionSchema).nullish() })
    .nullish(),
});
type Alarm = z.infer<typeof alarmSchema>;

const isAlarm = z.object({ AlarmName: z.string(), NewStateValue: z.string() });
const states = { ALARM: "firing", OK: "resolved" } as const;

/** Dimensions that name a service or an environment. */
const serviceDimensions = ["ServiceName", "Service", "service.name", "FunctionName"];
const envDimensions = ["Environment", "EnvironmentName", "deployment.environment"];

/**
 * Returns the announcements of a message that is an alarm; null for any other. The key is the alarm, because the
 * message that ends a failure doesn't name its beginning. An alarm without data isn't a failure.
 */
export function alertsOfAlarm(message: unknown): readonly Announcement[] | null {
  if (!isAlarm.safeParse(message).success) return null;
  const alarm = alarmSchema.parse(message);
  if (alarm.NewStateValue === "INSUFFICIENT_DATA") return [];
  return [{ kind: "alert", alert: toAlert(alarm, states[alarm.NewStateValue]) }];
}

function toAlert(alarm: Alarm, state: AnnouncedAlert["state"]): AnnouncedAlert {
  const { AlarmName, AlarmArn, AlarmDescription, NewStateReason, StateChangeTime, Region, Trigger } = alarm;
  const dimensions = Trigger?.Dimensions ?? [];
  return {
    key: AlarmArn,
    state,
    title: titleFrom(AlarmDescription ? `${AlarmName}: ${AlarmDescription}` : AlarmName),
    text: textFrom(
      `${alarm.NewStateValue}: "${AlarmName}" in ${Region ?? AlarmArn.split(":")[3] ?? "AWS"}`,
      AlarmDescription && `description: ${AlarmDescription}`,
      `reason for state change: ${NewStateReason}`,
      Trigger?.MetricName && `- metric = ${Trigger.MetricName}`,
      Trigger?.Namespace && `- namespace = ${Trigger.Namespace}`,
      ...dimensions.map(({ name, value }) => `- ${name} = ${value}`),
      alarm.AlarmRule && `- rule = ${alarm.AlarmRule}`,
      `timestamp: ${StateChangeTime}`,
    ),
    service: dimensionOf(dimensions, serviceDimensions),
    env: dimensionOf(dimensions, envDimensions),
    severity: null,
    at: StateChangeTime,
    url: pageOf(AlarmArn, AlarmName),
  };
}

function dimensionOf(dimensions: readonly z.infer<typeof dimensionSchema>[], names: readonly string[]): string | null {
  const values = names.map((name) => dimensions.find((dimension) => dimension.name === name)?.value);
  return nameFrom(values.find((value) => value !== undefined));
}

/**
 * Returns the page of an alarm in the console; its region is in `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:name`.
 */
function pageOf(arn: string, name: string): string | null {
  const region = /^arn:aws(?:-cn|-us-gov)?:cloudwatch:([a-z0-9-]+):/.exec(arn)?.[1];
  return region === undefined ? null : alarmLink(region, name);
}
