import { type IncidentThresholds, incidentThresholdsSchema } from "@whence/protocol";
import { enteredLines, enteredNumber } from "../../lib/entered.ts";
import { checkFields } from "../../lib/field-problems.ts";

/** The thresholds that are numbers, each with its label and its meaning. */
export const thresholdNumbers = [
  ["min_events", "Events before the first incident", "Of one failure, within the window"],
  ["window_minutes", "Window, in minutes", "How long events are counted"],
  ["quiet_hours", "Quiet hours", "How long a failure must be gone before it counts as returned"],
  ["spike_factor", "Spike factor", "A spike is this many times a failure's highest count in any window"],
  ["incidents_per_hour", "Incidents per hour", "The most that telemetry may open"],
  ["source_incidents_per_hour", "Incidents per hour of a source", "The most that one alert source may open"],
] as const;

/** The thresholds that are lists, each with its label and its hint. */
export const thresholdLists = [
  ["muted_services", "Muted services", "Their failures open no incidents. One name per line."],
  [
    "muted_fingerprints",
    "Muted failures",
    "They open no incidents. One fingerprint per line, as shown on an incident.",
  ],
] as const;

/**
 * Returns the thresholds entered in a form; those that aren't in the form stay as they are in `before`. Throws {@link
 * RefusedFields} for an invalid value.
 */
export function enteredThresholds(
  fields: Readonly<Record<string, string>>,
  before: IncidentThresholds,
): IncidentThresholds {
  return checkFields(incidentThresholdsSchema, {
    ...before,
    ...Object.fromEntries(thresholdNumbers.map(([name]) => [name, enteredNumber(fields[name] ?? "")])),
    ...Object.fromEntries(thresholdLists.map(([name]) => [name, enteredLines(fields[name] ?? "")])),
  });
}
