import { z } from "zod";
import type { FactWeight } from "../signals/fact.ts";
import type { OutsideWeights } from "../signals/outside/outside-view.ts";
import shipped from "./service-model.json" with { type: "json" };

/** What the event's own calls are worth, and a known failure of a service whose code is unknown. */
type CallWeight = "knownFailure" | "failedCall" | "refusedCall" | "refusedAnswer" | "unreadableAnswer";

/** What each kind of evidence is worth as a sign of a cause, 0 to 1, by its name. */
export interface ServiceWeights {
  readonly telemetry: Readonly<Record<FactWeight | CallWeight, number>>;
  readonly outside: OutsideWeights;
}

const share = z.number().min(0).max(1);
const weights = z.record(z.string(), share);

/** The form of the shipped file, and of what `pnpm bench systems --train` learns. */
const serviceModelFileSchema = z.object({
  /** Null when the weights were set by judgment. */
  trained: z
    .object({
      /** The day of the training. */
      on: z.iso.date(),
      /** Digest of the runs that it was trained on, in hexadecimal digits. */
      runs_sha256: z.string().length(64),
      /** How many runs, how many failures of them, and how often the right service was first in folds that trained nothing. */
      held_out: z.object({ runs: z.int(), cases: z.int(), systems: share, operators: share }),
    })
    .nullable(),
  telemetry: weights,
  outside: z.object({
    worth: weights,
    factors: weights,
    failed: weights,
    calledProblem: weights,
    announcedProblem: weights,
  }),
  /** The weight of the first candidate, and how often one like it was right; both ascending. */
  calibration: z.object({ probability: z.array(z.number()), share: z.array(z.number()) }),
});
type ServiceModelFile = z.infer<typeof serviceModelFileSchema>;

/** A model of services, releases, and third parties: learned, or set by judgment. */
export interface ServiceModel extends Pick<ServiceModelFile, "trained" | "calibration"> {
  readonly weights: ServiceWeights;
}

/** Reads a model's file; a test holds its names to those of the kinds. Throws when it is no model. */
export function readServiceModel(file: unknown): ServiceModel {
  const { trained, telemetry, outside, calibration } = serviceModelFileSchema.parse(file);
  return { trained, calibration, weights: { telemetry, outside } as ServiceWeights };
}

let parsed: ServiceModel | undefined;

/** The model that is shipped; parsed once. */
export function shippedServiceModel(): ServiceModel {
  parsed ??= readServiceModel(shipped);
  return parsed;
}
