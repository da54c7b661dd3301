import { placeText } from "../../words/prose.ts";
import { codeKind, nearest, type SeenSignal } from "./code-kind.ts";
import type { Remedy } from "./remedy.ts";
import { stepConfirmed, stepFix, stepPrevention, stepRuledOut } from "./step-advice.ts";
import { lastName } from "./step-code.ts";
import { stepText } from "./step-words.ts";
import { origins, type StepArgs, stepArgs, type ValueSource, valueSources } from "./value-sources.ts";

type Step = SeenSignal<StepArgs>;

/** Steps that are wrong on their own, whatever is passed to them. */
const wrong: ReadonlySet<ValueSource> = new Set(["returns-nothing", "missing-key", "overrun"]);
const settings: ReadonlySet<ValueSource> = new Set(["environment", "setting"]);

const compared = ["trailEnds", "trailEndKind", "trailEndsAtOrigin", "stepFarthest", "stepNearest"];

/** Sources too rare in the training data for any tree to use: for a step, and for the end of a trail. */
const rareSteps: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...(["environment", "incoming-body", "outside-answer", "answer-field", "setting", "overrun"] as const),
]);
const rareEnds: ReadonlySet<ValueSource> = new Set<ValueSource>([
  ...rareSteps,
  ...(["lookup", "awaited-call", "parsed-text", "computed", "iteration"] as const),
]);

/** One hop of the failing value. */
export const valueStep = codeKind({
  name: "value-step",
  means: "The failing value passed here on its way to the throw",
  args: stepArgs,
  example: { how: "answer-field", name: "amount", code: "payment.amount" },
  link: {
    what: (step) => `${placeText(step.place)} ${stepText(step)}`,
    fix: stepFix,
    prevent: stepPrevention,
    confirmedBy: stepConfirmed,
    ruledOutBy: stepRuledOut,
  },
  ranks: {
    file: ofFile,
    compared: { on: compared, off: compared },
    place: (steps) => ({ placeStepKind: latestSource(steps) }),
    failure: (steps) => ({ failureSteps: Math.log1p(steps.length) }),
  },
  decides: { weight: 0.8, when: ({ how, isSet }) => how === "environment" && isSet === false },
  missingNames: missingOf,
  repair: remediesFor,
  isOrigin: ({ args, isEnd }) => isEnd && settings.has(args.how),
  isOnlySeen: ({ how }) => !wrong.has(how),
});

/** The field or key that a step reads. */
function missingOf({ how, name, code, keys, misformed }: StepArgs): string[] {
  if (misformed) return [];
  const key = keys?.at(-1);
  if (how === "answer-field") return [lastName(name) ?? ""];
  if (how === "property" && key !== undefined) return [key];
  if (how === "property" || how === "missing-key" || (how === "argument" && code.includes(".")))
    return [lastName(code) ?? ""];
  return [];
}

/** What may repair a step: the names that it misses, the object without a key, the function without a result. */
function remediesFor(step: StepArgs): Remedy[] {
  const { how, name, code, keys: taken } = step;
  const keys = (names: readonly string[]): Remedy[] => names.map((one) => ({ by: "key", name: one }));
  switch (how) {
    case "returns-nothing":
      return [{ by: "return" }];
    case "missing-key":
      // Code fills an empty object while it runs.
      if (step.misformed || step.isFilled) return [];
      return [...keys([name]), { by: "entry", name, code }];
    case "parameter":
      return [...keys(taken?.slice(-1) ?? []), { by: "arguments", parameter: name }];
    case "property":
    case "answer-field":
      return [...keys(missingOf(step)), { by: "guard", name }];
    default:
      return [{ by: "guard", name }];
  }
}

function ofFile(steps: readonly Step[]): Record<string, number> {
  const ends = steps.filter(({ isEnd }) => isEnd);
  const bySource = valueSources.flatMap((how) => {
    const isOfSource = ({ args }: Step): boolean => args.how === how;
    return [
      ...(rareSteps.has(how) ? [] : [[`step-${how}`, nearest(steps.filter(isOfSource))] as const]),
      ...(rareEnds.has(how) ? [] : [[`end-${how}`, nearest(ends.filter(isOfSource))] as const]),
    ];
  });
  return {
    steps: Math.log1p(steps.length),
    stepNearest: nearest(steps),
    stepFarthest: Math.max(0, ...steps.map((step) => step.steps)),
    stepKind: latestSource(steps),
    trailEnds: Number(ends.length > 0),
    trailEndKind: latestSource(ends),
    trailEndsAtOrigin: Number(ends.some(({ args }) => origins.has(args.how))),
    ...Object.fromEntries(bySource),
  };
}

/** How telling the most telling source of some steps is, from 0 to 1. */
function latestSource(steps: readonly Step[]): number {
  return Math.max(0, ...steps.map(({ args }) => (1 + valueSources.indexOf(args.how)) / valueSources.length));
}
