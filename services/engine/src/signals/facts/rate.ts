import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { factKind, isLater } from "./fact-kind.ts";

/**
 * How often the failure occurred in the last hours: for the first time now, at a constant rate, or more often from a
 * minute on, at once (`step`), for a while (`spike`), or gradually (`growth`).
 */
const rateFact = z
  .object({
    shape: z.enum(["first", "steady", "step", "spike", "growth"]),
    /** The service whose failures are counted; absent for the failure under investigation. */
    of: z.string().exactOptional(),
    /** When the rate changed, or when the failure was first seen; null when it didn't change. RFC 3339. */
    at: z.string().nullable(),
    /** When a spike was over. RFC 3339. */
    until: z.string().nullable(),
    /** Events per minute before and after, or per process and minute with `perProcess`. */
    before: z.number(),
    after: z.number(),
    perProcess: z.boolean(),
  })
  .readonly();
export type RateFact = z.output<typeof rateFact>;

export const rate = factKind({
  name: "rate",
  means: "How the rate of a failure changed over the last hours",
  data: z.object({ rate: rateFact }),
  example: {
    rate: {
      shape: "spike",
      at: "2026-03-01T09:40:00.000Z",
      until: "2026-03-01T09:55:00.000Z",
      before: 2,
      after: 40,
      perProcess: false,
    },
  },
  evidence: ({ rate: { of, ...one } }) =>
    of === undefined ? shapeText(one) : `some failure of ${inlineCode(of)} ${shapeText(one)}`,
  figures: ({ rate: { before, after } }) =>
    [before, after].flatMap((one) => [one.toFixed(0), String(Number(one.toPrecision(2)))]),
  isComputed: true,
  problems: ({ rate: { at, until } }) =>
    at !== null && until !== null && isLater(at, until) ? ["a spike ended before it began"] : [],
  isMoment: ({ rate: { at, shape } }) => at !== null && shape !== "first",
});

function shapeText({ shape, at, until, before, after, perProcess }: Omit<RateFact, "of">): string {
  const change = `from ${figure(before)} to ${figure(after)} events a minute${perProcess ? " per process" : ""}`;
  switch (shape) {
    case "first":
      return `first seen at ${at}`;
    case "growth":
      return `occurs more and more often, ${change}`;
    case "step":
      return `occurs more often since ${at}, ${change}`;
    case "spike":
      return `occurred more often from ${at}${until === null ? "" : ` to ${until}`}, ${change}`;
    case "steady":
      return `occurs at a steady rate of about ${figure(after)} events a minute${perProcess ? " per process" : ""}`;
  }
}

function figure(eventsPerMinute: number): string {
  if (eventsPerMinute === 0) return "0";
  return eventsPerMinute >= 10 ? eventsPerMinute.toFixed(0) : String(Number(eventsPerMinute.toPrecision(2)));
}
