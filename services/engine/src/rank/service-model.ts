import { z } from "zod";
import type { FactWeight } from "../signals/fact.ts";
import type { OutsideWeights } from "../signals/outside/outside-view.ts";
import shipped from "./service-model.json" with { type: "json" };

/** The weights of the event's own calls, and of a known failure of a service whose code is unknown. */
type CallWeight = "knownFailure" | "failedCall" | "refusedCall" | "refusedAnswer" | "unreadableAnswer";

/** The weight of each kind of evidence as a sign of the cause, from 0 to 1, by name. */
export interface ServiceWeights {
  readonly telemetry: Readonly<Record<FactWeight | CallWeight, number>>;
  readonly outside: OutsideWeights;
}

const share = z.number().min(0).max(1);
const weights = z.record(z.string(), share);

/** The schema of the shipped file, and of what `pnpm bench systems --train` learns. */
const serviceModelFileSchema = z.object({
  /** Null when the weights were set by judgment. */
  trained: z
    .object({
      /** The date of the training. */
      on: z.iso.date(),
      /** Digest of the training runs, in hexadecimal. */
      runs_sha256: z.string().length(64),
      /**
       * The number of runs and of their failures, and how often the right service was ranked first in held-out folds.
       */
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
  /** The weight of the first candidate, and the share of such candidates that were right; both ascending. */
  calibration: z.object({ probability: z.array(z.number()), share: z.array(z.number()) }),
});
type ServiceModelFile = z.infer<typeof serviceModelFileSchema>;

/** A model of services, releases, and third parties: learned, or set by judgment. */
export interface ServiceModel extends Pick<ServiceModelFile, "trained" | "calibration"> {
  readonly weights: ServiceWeights;
}

/** Reads a model's file. Throws when it isn't a model. A test checks its names against those of the kinds. */
export function readServiceModel(file: unknown): ServiceModel {
  const { trained, telemetry, outside, calibration } = serviceModelFileSchema.parse(file);
  return { trained, calibration, weights: { telemetry, outside } as ServiceWeights };
}

let parsed: ServiceModel | undefined;

/** Returns the shipped model, parsed once. */
export function shippedServiceModel(): ServiceModel {
  parsed ??= readServiceModel(shipped);
  return parsed;
}
