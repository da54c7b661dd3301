import { hourMs, limits, type SentryProject } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SpanAllowance } from "../../src/otlp/span-allowance.ts";
import { Turns } from "../../src/plugins/turns.ts";
import { parseEnvelope } from "../../src/sentry/envelope-reader.ts";
import { ReleaseAllowance } from "../../src/sentry/release-allowance.ts";
import { sentryLimits } from "../../src/sentry/sentry-limits.ts";
import { takeEnvelope } from "../../src/sentry/take-envelope.ts";
import { readBatchMessage } from "../../src/telemetry/batch-message.ts";

const frame = { scopeId: "org", receivedAt: "2026-03-01T12:00:00.000Z", retentionDays: null, userKey: null };
const project: SentryProject = { id: "4711", service: "shop", env: "PROD", origins: [] };
const started = "2026-03-01T11:59:00.000Z";
const attrs = { release: "1.4.2", environment: "production" };

async function take(
  items: readonly (readonly [type: string, item: unknown])[],
  of: Partial<SentryProject> = {},
  header: { readonly sent_at?: unknown } = {},
  releases = new ReleaseAllowance(() => 0),
) {
  const lines = items.flatMap(([type, item]) => [JSON.stringify({ type }), JSON.stringify(item)]);
  const taken = await takeEnvelope(parseEnvelope(Buffer.from([JSON.stringify(header), ...lines].join("\n"))), {
    ...{ project: { ...project, ...of }, frame, turns: new Turns(), allowance: new SpanAllowance(() => 0), releases },
  });
  const batches = taken.messages.map(({ body }) => {
    const read = readBatchMessage(body);
    if ("unreadable" in read) throw new Error(read.unreadable);
    return read.batch;
  });
  return { ...taken, batches, sessions: batches.flatMap(({ sessions = [] }) => sessions) };
}

describe("a session of Sentry's clients", () => {
  it("is counted by its ID, service, release, and environment", async () => {
    const { batches, items } = await take([["session", { sid: "A1", init: true, started, status: "ok", attrs }]]);
    expect(batches).toMatchObject([
      {
        ...{ service: "shop", env: "PROD", release: "1.4.2", events: [] },
        sessions: [{ id: "a1", at: started, sessions: 1, crashed: 0, unhandled: 0 }],
      },
    ]);
    expect(items).toEqual([{ type: "session", outcome: "stored" }]);
  });

  it.each(["ok", "exited", "errored", "abnormal"])("that is %s hasn't failed", async (status) => {
    expect((await take([["session", { sid: "a", started, status }]])).sessions).toMatchObject([
      { crashed: 0, unhandled: 0 },
    ]);
  });

  it("that went on after an error that nothing caught is counted apart from one that crashed", async () => {
    expect((await take([["session", { sid: "a", started, status: "unhandled" }]])).sessions).toMatchObject([
      { sessions: 1, crashed: 0, unhandled: 1 },
    ]);
  });

  it("that crashed has, and a page may report it, too", async () => {
    const crashed = ["session", { sid: "a", started: 1_772_366_340.5, status: "crashed" }] as const;
    const { sessions } = await take([crashed], { origins: ["https://shop.example"] });
    expect(sessions).toEqual([{ id: "a", at: "2026-03-01T11:59:00.500Z", sessions: 1, crashed: 1, unhandled: 0 }]);
  });

  it("without an ID or a time is invalid", async () => {
    const { messages, items } = await take([
      ["session", { started }],
      ["session", { sid: "a", started: "soon" }],
    ]);
    expect([messages, items.map(({ outcome }) => outcome)]).toEqual([[], ["invalid", "invalid"]]);
  });
});

describe("sessions of a server", () => {
  const aggregates = [
    { started, exited: 90, errored: 4, crashed: 3, unhandled: 2, abnormal: 1 },
    { started: "2026-03-01T11:58:00Z", exited: 2 },
  ];

  const item = ["sessions", { aggregates, attrs }] as const;
  const sent_at = "2026-03-01T12:00:00.123Z";

  it("are counted by their start", async () => {
    const first = await take([["sessions", { aggregates, attrs }]]);
    expect(first.sessions.map(({ sessions, crashed, unhandled }) => [sessions, crashed, unhandled])).toEqual([
      ...[
        [100, 3, 2],
        [2, 0, 0],
      ],
    ]);
    expect(new Set(first.sessions.map(({ id }) => id)).size).toBe(2);
  });

  it("are the same when their envelope is repeated", async () => {
    const first = await take([item], {}, { sent_at });
    expect((await take([item], {}, { sent_at })).messages).toEqual(first.messages);
  });

  it.each([
    ["sent at another moment", { sent_at }, { sent_at: "2026-03-01T12:00:00.124Z" }],
    ["whose clients say no moment", {}, {}],
    ["whose clients say only the second", { sent_at: "2026-03-01T12:00:00Z" }, { sent_at: "2026-03-01T12:00:00Z" }],
    ["whose clients say something else", { sent_at: 1 }, { sent_at: "x".repeat(65) }],
  ])("are others than the same counts of another process, %s", async (_, header, other) => {
    const both = [await take([item], {}, header), await take([item], {}, other)];
    expect(new Set(both.flatMap(({ sessions }) => sessions.map(({ id }) => id))).size).toBe(4);
    expect(new Set(both.flatMap(({ messages }) => messages.map(({ id }) => id))).size).toBe(2);
  });

  it("can't be reported by pages, whose key is public", async () => {
    const { messages, items } = await take([["sessions", { aggregates, attrs }]], {
      origins: ["https://shop.example"],
    });
    expect([messages, items]).toEqual([[], [{ type: "sessions", outcome: "counted" }]]);
  });

  it("are limited: 50,000 of an envelope", async () => {
    const many = (exited: number) => ["sessions", { aggregates: [{ started, exited }] }] as const;
    expect((await take([many(sentryLimits.sessionsMax)])).items).toMatchObject([{ outcome: "stored" }]);
    const { items, sessions } = await take([many(sentryLimits.sessionsMax), many(1)]);
    expect(items.map(({ outcome }) => outcome)).toEqual(["stored", "over_limit"]);
    expect(sessions).toHaveLength(1);
    expect((await take([many(sentryLimits.sessionsMax + 1)])).messages).toEqual([]);
  });
});

describe("releases whose sessions count", () => {
  const page = { origins: ["https://shop.example"] };
  const report = (release: string, changes: { environment?: string } = {}) =>
    ["session", { sid: "a", started, attrs: { ...attrs, release, ...changes } }] as const;

  it("are limited: 200 of a project, in all its environments", async () => {
    const releases = new ReleaseAllowance(() => 0);
    const outcomes = async (of: Partial<SentryProject>, ...items: readonly ReturnType<typeof report>[]) =>
      (await take(items, of, {}, releases)).items.map(({ outcome }) => outcome);
    for (let index = 0; index < sentryLimits.releasesMax - 1; index++) {
      expect(await outcomes(page, report(`1.${index}`))).toEqual(["stored"]);
    }
    const [known, last, more] = [report("1.0"), report("1.0", { environment: "staging" }), report("2.0")];
    expect(await outcomes(page, known, last, more, known)).toEqual(["stored", "stored", "over_limit", "stored"]);
    expect(await outcomes({ ...page, id: "4712" }, more)).toEqual(["stored"]);
  });

  it("are limited by their hours, too: 1,000 rows of a release and an hour before the last one", async () => {
    let now = Date.parse(frame.receivedAt);
    const releases = new ReleaseAllowance(() => now);
    const began = (hoursAgo: number) => new Date(Date.parse(started) - hoursAgo * hourMs).toISOString();
    const outcome = async (release: string, ...hoursAgo: readonly number[]) => {
      const aggregates = hoursAgo.map((hours) => ({ started: began(hours), exited: 1 }));
      const [item] = (await take([["sessions", { aggregates, attrs: { release } }]], {}, {}, releases)).items;
      return item?.outcome;
    };
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    for (let index = 0; index < sentryLimits.sessionRowsMax / 100; index++) {
      expect(await outcome(`1.${index}`, ...hundred)).toBe("stored");
    }
    expect([await outcome("1.0", 101), await outcome("2.0", 1), await outcome("1.0", 0, 100)]).toEqual([
      ...["over_limit", "over_limit", "stored"],
    ]);
    expect(await outcome("2.0", 0)).toBe("stored");
    now += hourMs;
    expect([await outcome("2.0", -1), await outcome("2.0", 1)]).toEqual(["stored", "over_limit"]);
  });

  it("began when they came if their clients say a time that isn't believed", async () => {
    const releases = new ReleaseAllowance(() => 0);
    for (let index = 0; index < sentryLimits.sessionRowsMax + 1; index++) {
      const old = ["session", { sid: "a", started: index * 3_600, attrs }] as const;
      expect((await take([old], page, {}, releases)).items).toMatchObject([{ outcome: "stored" }]);
    }
  });

  it("keep their place while they report, and make room two hours after they stopped", async () => {
    let now = 0;
    const releases = new ReleaseAllowance(() => now);
    const outcome = async (release: string) => {
      const [item] = (await take([report(release)], page, {}, releases)).items;
      return item?.outcome;
    };
    await outcome("1.0");
    for (let index = 1; index < sentryLimits.releasesMax; index++) await outcome(`invented ${index}`);
    now = hourMs;
    expect([await outcome("other"), await outcome("1.0")]).toEqual(["over_limit", "stored"]);
    now = 2 * hourMs;
    expect([await outcome("other"), await outcome("1.0")]).toEqual(["stored", "stored"]);
    now = 10 * hourMs;
    for (let index = 0; index < sentryLimits.releasesMax; index++) {
      expect(await outcome(`new ${index}`)).toBe("stored");
    }
    expect(await outcome("1.0")).toBe("over_limit");
  });

  it("are remembered by what is kept of their names", async () => {
    const releases = new ReleaseAllowance(() => 0);
    const long = "1".repeat(limits.textLengthMax);
    for (let index = 0; index <= sentryLimits.releasesMax; index++) {
      const { items, batches } = await take([report(`${long}${index}`)], page, {}, releases);
      expect(items).toMatchObject([{ outcome: "stored" }]);
      expect(batches[0]?.release).toHaveLength(limits.textLengthMax);
    }
  });
});

describe("items of sessions", () => {
  it("are one message of each release and environment", async () => {
    const of = (sid: string, release: string) => ["session", { sid, started, attrs: { ...attrs, release } }] as const;
    const { batches, sessionItems } = await take([of("a", "1"), of("b", "2"), of("c", "1"), of("d", "1")]);
    expect(batches.map(({ release, sessions = [] }) => [release, sessions.map(({ id }) => id)])).toEqual([
      ["1", ["a", "c", "d"]],
      ["2", ["b"]],
    ]);
    expect(sessionItems).toBe(4);
  });

  it("are each stored, invalid, or over the limit, whatever they are", async () => {
    const item = fc.record({
      type: fc.constantFrom("session", "sessions"),
      value: fc.oneof(
        fc.jsonValue(),
        fc.record({
          sid: fc.string(),
          started: fc.oneof(fc.string(), fc.double(), fc.constant(started)),
          attrs: fc.jsonValue(),
        }),
        fc.record({
          aggregates: fc.array(
            fc.record({ started: fc.constant(started), exited: fc.oneof(fc.integer(), fc.jsonValue()) }),
          ),
        }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 5 }), async (made) => {
        const { items, sessions } = await take(made.map(({ type, value }) => [type, value]));
        expect(items).toHaveLength(made.length);
        expect(sessions.every((some) => some.crashed + some.unhandled <= some.sessions && some.sessions > 0)).toBe(
          true,
        );
      }),
    );
  });
});
