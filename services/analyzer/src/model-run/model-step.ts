import type { IncidentStep } from "@whence/protocol";
import type { Redactor } from "../models/redaction/redact.ts";
import { cutToBytes } from "./cut-to-bytes.ts";
import { modelRunLimits } from "./limits.ts";
import type { UsedTool } from "./tool-surroundings.ts";

/** What a step of a model says, and what a tool answered. */
export type ModelStep = Pick<IncidentStep, "detail" | "result">;

/** Returns a call of a tool as a step: redacted as the prompt is, then cut, since a secret that is cut isn't recognized. */
export function stepOf({ name, input, outcome, result }: UsedTool, redactor: Redactor): ModelStep {
  const detail = redactor.redact(`${name} ${JSON.stringify(input)}: ${outcome}`).slice(0, modelRunLimits.stepUnits);
  return result === null
    ? { detail }
    : { detail, result: cutToBytes(redactor.redact(result), modelRunLimits.stepResultBytes) };
}
