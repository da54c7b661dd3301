import type { IncidentThresholds } from "../failures/thresholds.ts";

/** The thresholds that a line of the custom instructions can set. */
type SetThreshold = "muted_services" | "muted_fingerprints";

/** A line of the custom instructions that sets something without a language model. */
export interface UnderstoodInstruction {
  /** From 1. */
  readonly line: number;
  readonly setting: SetThreshold;
  readonly value: string;
}

const valueLengthMax = 200;
const forms: readonly { readonly start: string; readonly setting: SetThreshold }[] = [
  { start: "mute service:", setting: "muted_services" },
  { start: "mute failure:", setting: "muted_fingerprints" },
];

/** Returns the lines that set something: `mute service: NAME` and `mute failure: FINGERPRINT`, also as items of a list. */
export function understoodInstructions(text: string): readonly UnderstoodInstruction[] {
  return text.split("\n").flatMap((written, index) => {
    const line = written.replace(/^\s*[-*]?\s*/, "").trim();
    const form = forms.find(({ start }) => line.toLowerCase().startsWith(start));
    const value = form ? line.slice(form.start.length).trim() : "";
    if (!form || value === "" || value.length > valueLengthMax) return [];
    return [{ line: index + 1, setting: form.setting, value }];
  });
}

/** Returns the thresholds together with what the custom instructions set. */
export function withInstructions(thresholds: IncidentThresholds, text: string): IncidentThresholds {
  const understood = understoodInstructions(text);
  const ofSetting = (name: SetThreshold): string[] => [
    ...new Set([
      ...thresholds[name],
      ...understood.filter(({ setting }) => setting === name).map(({ value }) => value),
    ]),
  ];
  return {
    ...thresholds,
    muted_services: ofSetting("muted_services"),
    muted_fingerprints: ofSetting("muted_fingerprints"),
  };
}
