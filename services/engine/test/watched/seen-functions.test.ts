import { createHash } from "node:crypto";
import type { Hit, Report, Watched } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

const [plan, price] = ["/srv/shop/src/plan.js", "/srv/shop/src/price.js"];
const program: Program = {
  [plan]: `export function planOf(id) {
  if (id === "p1") return { price: 3 };
}
export function discountOf(id) {
  return 0;
}
`,
  [price]: `import { planOf, discountOf } from "./plan.js";
export function priceOf(id) {
  const discount = discountOf(id);
  const plan = planOf(id);
  return plan.price - discount;
}
`,
};
const message = "Cannot read properties of undefined (reading 'price')";
const request = { method: "GET", path: "/price/p9", headers: {} };
const gathered = Object.entries(program).map(([name, content]) => ({ name, path: name, content, version: "1.4.2" }));
const sha256Of = (file: string) =>
  createHash("sha256")
    .update(program[file] ?? "")
    .digest("hex");
const places = [
  { file: plan, line: 2, function: "planOf", starts: 1, sha256: sha256Of(plan) },
  { file: plan, line: 5, function: "discountOf", starts: 4, sha256: sha256Of(plan) },
  { file: price, line: 5, function: "priceOf", starts: 2, sha256: sha256Of(price) },
];

const caller = (line: number) => ({ file: price, line, function: "priceOf", starts: 2 });
const shared = { values: {}, thread: "1-0", nth: 1, callers: [] } satisfies Partial<Hit>;
const returned = (line: number, starts: number, name: string, value: string, at: number, from: number): Hit => ({
  ...{ ...shared, kind: "returned", file: plan, line, starts, function: name, returned: value, at_ms: at },
  callers: [caller(from)],
});
const discount = (value = "0") => returned(5, 4, "discountOf", value, 6, 3);
const planSeen = (value = "undefined"): Hit => ({
  ...returned(3, 1, "planOf", value, 10, 4),
  values: { id: '"p9"' },
});
const throwing: Hit = { ...shared, ...caller(5), kind: "reached", at_ms: 11, values: { plan: "undefined" } };

function eventWith(watched: Partial<Watched> | undefined, said = message) {
  const frames = [frameAt(program, price, "price -", "priceOf")];
  const event = reportedEvent({ exceptions: [exception("TypeError", said, frames)], request });
  const complete = places.map((_, place) => ({ place, hits: 1, is_complete: true }));
  const whole = { order: "wat_1", at_ms: 14, places: complete, hits: [discount(), planSeen(), throwing], ...watched };
  return watched ? { ...event, id: "0197a9d0-0000-7000-8000-000000000002", watched: whole } : event;
}

async function reportOn(...events: ReturnType<typeof eventWith>[]): Promise<Report> {
  const { incident, input } = eventSubject(eventWith(undefined), "shop");
  if (input.kind !== "event") throw new Error("not an event");
  const watched = events.map((event) => ({ event, places }));
  return (await investigated({ incident, input: { ...input, files: gathered, watched } })).report;
}

const seenIn = ({ candidates }: Report) =>
  candidates.flatMap(({ seen, location }) => (seen ? [[location?.function, seen]] : []));

describe("a report on a failure that was seen again in production", () => {
  it("confirms the function that returned the failing value in the failing request", async () => {
    const report = await reportOn(eventWith({}));
    const said = 'returned `undefined` 4 ms before the request failed at 10:00:00 UTC, where `id` is `"p9"`';
    const [first] = report.candidates;
    expect(first).toMatchObject({ seen: "confirmed", location: { file: plan, function: "planOf" } });
    expect(first?.support.join()).toContain(said);
    expect(report.root_cause_summary).toContain("returned `undefined` in production");
    expect(report.evidence).toContainEqual(
      expect.objectContaining({
        source: { kind: "observed", name: "running program" },
        summary: expect.stringContaining(said),
      }),
    );
  });

  it("is surer of what was seen", async () => {
    const [seen, inferred] = [await reportOn(eventWith({})), await reportOn()];
    expect(seen.confidence.score).toBeGreaterThan(inferred.confidence.score);
  });

  it("keeps what was seen once when a later failure shows nothing", async () => {
    expect(seenIn(await reportOn(eventWith({}), eventWith({ hits: [] })))).toContainEqual(["planOf", "confirmed"]);
  });

  it.each<[string, Parameters<typeof eventWith>]>([
    ["whose throw wasn't among the stops", [{ hits: [discount(), planSeen()] }]],
    ["of another error", [{}, "Cannot read properties of null (reading 'price')"]],
    [
      "with stops that were lost",
      [{ hits: [...Array.from({ length: 57 }, () => discount()), discount(), planSeen(), throwing] }],
    ],
    [
      "that began before the places were watched",
      [{ places: places.map((_, place) => ({ place, hits: 1, is_complete: false })) }],
    ],
    ["whose value mustn't be read", [{ hits: [discount(), planSeen("[redacted]"), throwing] }]],
    ["whose value wasn't resolved yet", [{ hits: [discount(), planSeen("[promise]"), throwing] }]],
    ["after which the value was returned", [{ hits: [discount(), { ...planSeen(), at_ms: 20 }, throwing] }]],
  ])("concludes nothing about a function from a failure %s", async (_, event) => {
    expect(seenIn(await reportOn(eventWith(...event))).filter(([name]) => name === "planOf")).toEqual([]);
  });

  it("concludes nothing where the running file is another than the one that was read", async () => {
    const { incident, input } = eventSubject(eventWith(undefined), "shop");
    if (input.kind !== "event") throw new Error("not an event");
    const other = places.map((place) => ({ ...place, sha256: "a".repeat(64) }));
    const watched = [{ event: eventWith({}), places: other }];
    const { report } = await investigated({ incident, input: { ...input, files: gathered, watched } });
    expect(seenIn(report)).toEqual([]);
  });

  it("refutes a function that returned another value, but none that didn't run or returned an object", async () => {
    const namedWith = async (...hits: Hit[]) =>
      (await reportOn(eventWith({ hits }))).candidates.map(({ location }) => location?.function);
    expect(await namedWith(discount(), planSeen("3"), throwing)).not.toContain("planOf");
    expect(await namedWith(discount(), planSeen('{"price": 3, …}'), throwing)).toContain("planOf");
    expect(await namedWith(throwing)).toContain("planOf");
  });

  it("refutes no function whose result the failing line doesn't use: an earlier one may have been kept", async () => {
    const elsewhere = { ...planSeen("3"), callers: [caller(3)] };
    const report = await reportOn(eventWith({ hits: [discount(), elsewhere, throwing] }));
    expect(report.candidates.map(({ location }) => location?.function)).toContain("planOf");
    expect(seenIn(report)).toEqual([]);
  });

  it("concludes nothing where two failures disagree", async () => {
    const other = eventWith({ hits: [discount(), planSeen("3"), throwing] });
    expect(seenIn(await reportOn(other, eventWith({})))).toEqual([]);
  });
});
