import { categorySchema, locationSchema } from "@whence/protocol";
import { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import { inlineCode, placeText } from "../../words/prose.ts";
import { linked } from "../kind.ts";
import { factKind, partOfWhole } from "./fact-kind.ts";
import type { FailureView } from "./failure-view.ts";

const relatedFailureSchema = z
  .object({
    service: z.string(),
    message: z.string(),
    at: z.string(),
    location: locationSchema.nullable(),
    /** Whether it is in the same traces, or only at the same time. */
    link: z.enum(["trace", "time"]),
    /**
     * `deepest`: this service called it, directly or through others, and nothing that it called failed (at the same
     * time: it calls it); `refusing`: likewise, but it answered 4xx, which the calling side causes at least as often;
     * `between`: on the way there; `caller`: it has failed since this service did; `beside`: no failed call leads
     * there.
     */
    role: z.enum(["deepest", "refusing", "between", "caller", "beside"]),
    /** In how many of the examined traces; at the same time only: 0 of 0. */
    traces: z.object({ with: z.number(), of: z.number() }).readonly(),
    /** Whether it was as frequent before. */
    wasThere: z.boolean(),
    /** The category of the failure by the signatures; null when none matches. */
    category: categorySchema.nullable(),
    /** The innermost error, to match signatures with. */
    error: z.object({ type: z.string(), message: z.string(), code: z.string().nullable() }).readonly(),
  })
  .readonly();

/** A failure of another service in the same traces, or at the same time. */
export type RelatedFailure = z.output<typeof relatedFailureSchema>;

/** The words for another service's failure that led to this one. */
const relatedFailureLink: LinkWords<{ readonly failure: RelatedFailure }> = {
  what: ({ failure: { service, message, location } }) =>
    `${inlineCode(service)} fails${location ? ` in ${placeText(location)}` : ""} with ${inlineCode(message)}`,
  fix: ({ failure }) => {
    const { service, message, location } = failure;
    const start = location ? `Start at ${placeText(location)}, which` : "It";
    return {
      title: isOwn(failure) ? `Find out why ${inlineCode(service)} fails` : `Fix ${inlineCode(service)} first`,
      detail: `${start} fails with ${inlineCode(message)}.`,
    };
  },
  prevent: ({ failure }) =>
    isOwn(failure)
      ? null
      : {
          title: `Handle failures of ${inlineCode(failure.service)}`,
          detail: `Set a timeout and a retry limit for calls to ${inlineCode(failure.service)}, and answer with an error that names it.`,
        },
  confirmedBy: ({ failure }) =>
    isOwn(failure) ? null : `this failure stops when ${inlineCode(failure.service)} recovers`,
  ruledOutBy: ({ failure }) =>
    isOwn(failure) ? null : `this failure continues while ${inlineCode(failure.service)} answers without errors`,
};

const fact = factKind({
  name: "related-failure",
  means: "A failure of another service in the same traces, or at the same time",
  data: z.object({ failure: relatedFailureSchema }),
  example: {
    failure: {
      service: "payments",
      message: "Error: no rows",
      at: "2026-03-01T09:59:59.000Z",
      link: "trace",
      role: "deepest",
      location: { file: "src/db.ts", line: 7, function: "load" },
      traces: { with: 3, of: 4 },
      wasThere: false,
      category: null,
      error: { type: "Error", message: "no rows", code: null },
    },
  },
  evidence: ({ failure }) => relatedFailureText(failure),
  shown: ({ failure }, shown) => {
    const { location } = failure;
    return { failure: location ? { ...failure, location: { ...location, file: shown(location.file) } } : failure };
  },
  isComputed: false,
  problems: ({ failure: { traces } }) => partOfWhole(traces.with, traces.of),
  // A failure that only happened alongside supports no cause, unless the failure itself was only announced.
  isSupport: ({ failure: { link, role } }, { isAnnounced }) => isAnnounced || (link !== "time" && role !== "beside"),
  called: ({ failure: { service, link, role } }, own) => {
    const isLinked = link === "trace" || role === "deepest";
    if (!isLinked || role === "caller" || service === own) return [];
    return [{ host: null, service, hasFailed: role !== "beside", hasAnswered: true }];
  },
  weights: [
    ...(["deepest", "refusing", "between", "caller", "beside"] as const),
    ...(["calledAtTheTime", "thereBefore", "ownFailureThen", "calledFailureThen", "passedOn"] as const),
  ],
  reason: ({ failure: one }, failure) => ({
    service: one.service,
    weight: weightOf(one, failure),
    // A caller's own error follows from this one and doesn't show the category.
    category: one.role === "caller" ? failure.said : one.category,
  }),
});

export const relatedFailure = linked(fact, relatedFailureLink);

type View = FailureView<
  RelatedFailure["role"] | "calledAtTheTime" | "thereBefore" | "ownFailureThen" | "calledFailureThen" | "passedOn"
>;

function weightOf({ service, link, role, traces, wasThere }: RelatedFailure, failure: View): number {
  const { worth } = failure;
  if (link === "time") {
    if (!failure.hasEvent) return announcedWeight({ service, role, wasThere }, failure);
    // Failing at the same time isn't a reason on its own.
    if (!failure.hasFailedCallsTo(service)) return 0;
    return wasThere ? worth.thereBefore : worth.calledAtTheTime;
  }
  // A failure in few of the traces doesn't explain the others.
  const share = traces.of > 1 ? Math.min(1, (2 * traces.with) / traces.of) : 1;
  return worth[role] * share;
}

/**
 * Weighs failures at the time of an announced one, whose own error is unknown: those of the service, and those of what
 * it calls.
 */
function announcedWeight(
  { service, role, wasThere }: Pick<RelatedFailure, "service" | "role" | "wasThere">,
  { own, worth, hasOnwardCall }: View,
): number {
  if (wasThere) return worth.thereBefore;
  // One whose own call failed, where nothing is reported, may only pass a failure on.
  const passedOn = hasOnwardCall(service) ? worth.passedOn : 1;
  if (service === own) return worth.ownFailureThen * passedOn;
  return role === "deepest" ? worth.calledFailureThen * passedOn : 0;
}

function relatedFailureText({ service, message, link, role, traces, location, wasThere }: RelatedFailure): string {
  const where = location ? ` in ${placeText(location)}` : "";
  if (link === "time") {
    const before = wasThere ? ", as often as before" : "";
    return `${inlineCode(service)} failed at about the same time${before}${where}: ${inlineCode(message)}`;
  }
  const often = traces.of > 1 ? ` in ${traces.with} of ${traces.of} traces` : " in the same trace";
  return `${inlineCode(service)} failed${often}${roles[role]}${where}: ${inlineCode(message)}`;
}

const roles = {
  deepest: ", where the failed calls end",
  refusing: ", rejecting the request with a 4xx status",
  between: ", on the path of the failed calls",
  caller: ", as a caller",
  beside: ", but no failed call leads there",
} as const;

/**
 * Returns whether a failure is the service's own: when it was announced, the only failure at that time that no call
 * leads to.
 */
function isOwn({ link, role }: RelatedFailure): boolean {
  return link === "time" && role === "beside";
}
