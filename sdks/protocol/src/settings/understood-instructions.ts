import type { IncidentThresholds } from "../failures/thresholds.ts";

/** What a line of the custom instructions sets without a language model. */
export type InstructedSetting =
  | { readonly setting: "muted_services" | "muted_fingerprints" | "production_envs"; readonly value: string }
  /** The owner of a service's incidents: a member's email address or name. */
  | { readonly setting: "owners"; readonly value: string; readonly owner: string };

/** A line of the custom instructions that sets something without a language model. */
export type UnderstoodInstruction = InstructedSetting & {
  /** From 1. */
  readonly line: number;
};

/** The lines that set something, and the numbers of those that begin as if they did. */
export interface ReadInstructions {
  readonly understood: readonly UnderstoodInstruction[];
  readonly misspelled: readonly number[];
}

/** When a failure becomes an incident, with what the custom instructions add. */
export interface InstructedThresholds extends IncidentThresholds {
  /** Environments whose failures open incidents as those of the monitored one do. */
  readonly production_envs?: readonly string[];
}

const valueLengthMax = 200;
/** What a name is written between; names have no spaces. */
const name = "[`\"']?([^\\s`\"']+)[`\"']?";
/** Lines that are one of the forms, or were meant to be. */
const meant = /^mute (?:service|failure)\b/i;
const forms: readonly {
  readonly form: RegExp;
  readonly sets: (one: string, other: string) => InstructedSetting;
}[] = [
  { form: /^mute service:\s*(.+)$/i, sets: (value) => ({ setting: "muted_services", value }) },
  { form: /^mute failure:\s*(.+)$/i, sets: (value) => ({ setting: "muted_fingerprints", value }) },
  {
    form: new RegExp(`^${name} belongs to (.+?)\\.?$`, "i"),
    sets: (value, owner) => ({ setting: "owners", value, owner }),
  },
  { form: new RegExp(`^${name} is production\\.?$`, "i"), sets: (value) => ({ setting: "production_envs", value }) },
];

/**
 * Reads the lines of a documented form, also as items of a list: `mute service: NAME`, `mute failure: FINGERPRINT`,
 * `SERVICE belongs to MEMBER`, and `ENVIRONMENT is production`.
 */
export function readInstructions(text: string): ReadInstructions {
  const lines = text.split("\n").map((written) => written.replace(/^\s*[-*]?\s*/, "").trim());
  const set = lines.map(settingIn);
  return {
    understood: set.flatMap((setting, index) => (setting ? [{ line: index + 1, ...setting }] : [])),
    misspelled: lines.flatMap((line, index) => (!set[index] && meant.test(line) ? [index + 1] : [])),
  };
}

function settingIn(line: string): InstructedSetting | null {
  for (const { form, sets } of forms) {
    const [, one = "", other = ""] = form.exec(line) ?? [];
    if (one !== "") return Math.max(one.length, other.length) > valueLengthMax ? null : sets(one, other);
  }
  return null;
}

/** Returns the thresholds together with what the custom instructions set. */
export function withInstructions(thresholds: IncidentThresholds, text: string): InstructedThresholds {
  const { understood } = readInstructions(text);
  const valuesOf = (wanted: InstructedSetting["setting"]): string[] =>
    understood.filter(({ setting }) => setting === wanted).map(({ value }) => value);
  const also = (name: "muted_services" | "muted_fingerprints"): string[] => [
    ...new Set([...thresholds[name], ...valuesOf(name)]),
  ];
  return {
    ...thresholds,
    muted_services: also("muted_services"),
    muted_fingerprints: also("muted_fingerprints"),
    production_envs: [...new Set(valuesOf("production_envs"))],
  };
}

/** Returns the only member with this email address or name, in any case; null for none, and for several of a name. */
export function memberCalled<Member extends { readonly name: string; readonly email: string }>(
  members: readonly Member[],
  called: string,
): Member | null {
  const wanted = called.toLowerCase();
  const byEmail = members.find(({ email }) => email.toLowerCase() === wanted);
  const [only, other] = members.filter((one) => one.name.toLowerCase() === wanted);
  return byEmail ?? (only && !other ? only : null);
}
