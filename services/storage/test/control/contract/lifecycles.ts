import { hourMs, isRegressed, type LifecycleChange, type MuteEnd, type Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, DecidedFailure, KnownFailure, Occurrences, ReportSurroundings } from "../../../src/index.ts";
import { makeRule } from "./notification-rules.ts";
import {
  after,
  drainOutbox,
  history,
  newIncident,
  now,
  occurrence,
  openOrJoin,
  organization,
  report,
} from "./samples.ts";

const ada = { kind: "member", id: "usr_ada", name: "Ada" } as const;
const resolve: LifecycleChange = { action: "resolve", in: "now" };
const fingerprint = "v1:lifecycle";

/** Decides as {@link openOrJoin} does, for an event of a release. */
function inRelease(release: string): (known: KnownFailure | null) => DecidedFailure {
  return (known) => {
    const releases = [...new Set([...(known?.history.releases ?? []), release])];
    return { ...openOrJoin(known), history: { ...history, release, releases } };
  };
}

/** What every database does when people act on incidents. */
export function describeLifecycles(name: string, db: () => ControlDb): void {
  describe(`${name}: the lifecycle of an incident`, () => {
    /** An organization with an incident of telemetry whose first investigation has ended. */
    const withIncident = async () => {
      const scopeId = await organization(db());
      const scope = db().scope(scopeId);
      const occur = (release = "1.0.0", ms = 0, overrides: Partial<Occurrences> = {}) => {
        const one = { release, at: after(ms).toISOString(), now: after(ms), ...overrides };
        return scope.failures.decide(occurrence(fingerprint, one), inRelease(release));
      };
      await occur();
      const [incident] = await scope.incidents.list({ limit: 1 });
      const id = incident?.id ?? "";
      const investigate = async (ms: number, found: Partial<Report> = {}, around: ReportSurroundings = {}) => {
        const attempt = (await scope.incidents.begin(id, after(ms))) ?? 0;
        await scope.incidents.complete(id, attempt, { ...report, ...found }, after(ms), around);
      };
      await investigate(1);
      await drainOutbox(db());
      const change = async (asked: LifecycleChange, ms: number) =>
        (await scope.lifecycle.change(id, asked, ada, after(ms))).outcome;
      const read = async () => {
        const found = await scope.incidents.find(id);
        if (!found) throw new Error("the incident is gone");
        return found;
      };
      return { scopeId, scope, id, occur, change, read, investigate };
    };

    it("is open until someone acts, and keeps who did what when, also in the audit log", async () => {
      const { scope, id, change, read } = await withIncident();
      expect(await read()).toMatchObject({ lifecycle: { state: "open", since: now.toISOString() } });
      expect(await change({ action: "mute", until: { kind: "rise" } }, 10)).toBe("changed");
      expect(await change(resolve, 20)).toBe("changed");
      expect(await change(resolve, 30)).toBe("unchanged");
      expect(await change({ action: "ignore" }, 30)).toBe("refused");
      const { lifecycle, activity } = await read();
      expect(lifecycle).toMatchObject({ state: "resolved", since: after(20).toISOString(), by: ada });
      expect(activity?.map(({ kind, by }) => `${by?.name} ${kind}`)).toEqual(["Ada resolved", "Ada muted"]);
      const audited = await scope.audit.list({ limit: 10 });
      expect(audited.map(({ action, target }) => `${action} ${target}`)).toEqual([
        `incident.resolved ${id}`,
        `incident.muted ${id}`,
      ]);
    });

    it("keeps the first pull request with its patch, who opened it, and says so in the audit log", async () => {
      const { scope, id, read } = await withIncident();
      const pullRequest = {
        ...{ vendor: "GitHub", repository: "acme/shop", number: 12, url: "https://github.com/acme/shop/pull/12" },
        ...{ branch: "whence/incident-1", opened_at: after(10).toISOString() },
      };
      const opened = { pullRequest, by: ada, now: after(10) };
      const second = { ...opened, pullRequest: { ...pullRequest, number: 13 } };
      expect(await scope.incidents.recordPullRequest(id, opened)).toEqual(pullRequest);
      expect(await scope.incidents.recordPullRequest(id, second)).toEqual(pullRequest);
      expect(await scope.incidents.recordPullRequest("inc_none", opened)).toBeNull();
      expect(await read()).toMatchObject({ pull_request: pullRequest, activity: [{ kind: "pull-request", by: ada }] });
      expect(await scope.audit.list({ limit: 10 })).toMatchObject([
        { action: "incident.pull-request-opened", target: id },
      ]);
    });

    it("regresses with the next event, which opens no other incident and asks for another investigation", async () => {
      const { scope, id, occur, change, read, investigate } = await withIncident();
      await change(resolve, hourMs);
      await occur("1.1.0", 2 * hourMs);
      const { lifecycle, status, activity } = await read();
      expect(isRegressed(lifecycle)).toBe(true);
      expect([status, lifecycle.renewal?.same_cause]).toEqual(["queued", null]);
      expect(activity?.[0]).toMatchObject({ kind: "regressed", by: null, release: "1.1.0" });
      expect((await scope.incidents.list({ limit: 10 })).map((one) => one.id)).toEqual([id]);
      expect(await db().outbox.pending(10)).toMatchObject([{ id: `${id}:after-1` }]);
      await drainOutbox(db());
      await investigate(3 * hourMs);
      expect((await read()).lifecycle.renewal).toMatchObject({
        same_cause: true,
        news: { place: null, steps: [], files: null },
      });
    });

    it("stays resolved for the releases known before, when it was resolved in the next one", async () => {
      const { occur, change, read } = await withIncident();
      await change({ action: "resolve", in: "next-release" }, hourMs);
      await occur("1.0.0", 2 * hourMs);
      expect((await read()).lifecycle.state).toBe("resolved");
      await occur("1.1.0", 3 * hourMs);
      expect(isRegressed((await read()).lifecycle)).toBe(true);
    });

    it("can't be resolved in the next release when no event names one, nor changed once it is merged", async () => {
      const scope = db().scope(await organization(db()));
      const { id } = await scope.incidents.open(newIncident());
      const next = { action: "resolve", in: "next-release" } as const;
      expect(await scope.lifecycle.change(id, next, ada, now)).toEqual({ outcome: "no-release" });
      expect(await scope.lifecycle.change("inc_none", resolve, ada, now)).toEqual({ outcome: "unknown" });
    });

    it("says what is new once a renewed report names another place", async () => {
      const { occur, read, investigate } = await withIncident();
      await occur("1.1.0", hourMs);
      await drainOutbox(db());
      const place = { file: "src/cart.js", line: 3, function: "total" };
      const files = { named: ["src/tax.js", "src/cart.js"], more: 0 };
      const changed = { from: "1.0.0", to: "1.1.0", files };
      await investigate(2 * hourMs, { root_cause: { ...report.root_cause, location: place } }, { changed });
      expect((await read()).lifecycle.renewal).toMatchObject({
        ...{ release: "1.1.0", release_before: "1.0.0", same_cause: false },
        news: {
          ...{ place: { before: null, after: place }, steps: [] },
          files: { named: ["src/cart.js", "src/tax.js"], more: 0 },
        },
      });
    });

    it("doesn't name the files of another release than the one that it's compared with", async () => {
      const { occur, read, investigate } = await withIncident();
      await occur("1.1.0", hourMs);
      await drainOutbox(db());
      const files = { named: ["src/tax.js"], more: 0 };
      await investigate(2 * hourMs, {}, { changed: { from: "1.0.0", to: "1.0.1", files } });
      expect((await read()).lifecycle.renewal).toMatchObject({ release: "1.1.0", news: { files: null } });
    });

    it("is investigated again once for each new release in which it goes on", async () => {
      const { id, occur, read, investigate } = await withIncident();
      await occur("1.1.0", hourMs);
      expect(await read()).toMatchObject({
        status: "queued",
        lifecycle: { state: "open", renewal: { release: "1.1.0" } },
      });
      expect(await db().outbox.pending(10)).toMatchObject([{ id: `${id}:after-1` }]);
      await drainOutbox(db());
      await investigate(2 * hourMs);
      await occur("1.0.0", 3 * hourMs);
      await occur("1.1.0", 3 * hourMs);
      expect((await read()).status).toBe("completed");
    });

    it("counts down a mute, and is open after the last event", async () => {
      const { occur, change, read } = await withIncident();
      await change({ action: "mute", until: { kind: "events", more: 10 } }, 1);
      await occur("1.0.0", 2, { events: 9 });
      expect((await read()).lifecycle).toMatchObject({ state: "muted", mute: { kind: "events", more: 1 } });
      await occur("1.0.0", 3);
      expect(await read()).toMatchObject({
        lifecycle: { state: "open", returns: 1 },
        activity: [{ kind: "unmuted" }, {}],
      });
    });

    it("doesn't end a mute until a rise for what was counted before it", async () => {
      const { scope, change, read } = await withIncident();
      await change({ action: "mute", until: { kind: "rise" } }, 2_000);
      const rise = (windowMs: number) => (known: KnownFailure | null) => {
        const window = { ...history.window, start: after(windowMs).getTime() };
        return { ...openOrJoin(known), isRising: true, history: { ...history, window } };
      };
      const occur = (windowMs: number, ms: number) =>
        scope.failures.decide(occurrence(fingerprint, { at: after(ms).toISOString(), now: after(ms) }), rise(windowMs));
      await occur(1_999, 3_000);
      expect((await read()).lifecycle.state).toBe("muted");
      await occur(2_000, 4_000);
      expect((await read()).lifecycle.state).toBe("open");
    });

    it("can be muted only for a time when no failure counts its events", async () => {
      const scope = db().scope(await organization(db()));
      const { id } = await scope.incidents.open(newIncident());
      const mute = (until: MuteEnd) => scope.lifecycle.change(id, { action: "mute", until }, ada, now);
      expect(await mute({ kind: "rise" })).toEqual({ outcome: "no-failure" });
      expect(await mute({ kind: "events", more: 1 })).toEqual({ outcome: "no-failure" });
      expect(await mute({ kind: "time", at: after(hourMs).toISOString() })).toEqual({ outcome: "changed" });
    });

    it("is investigated from the event with which it came back", async () => {
      const scope = db().scope(await organization(db()));
      const opening = (known: KnownFailure | null): DecidedFailure => {
        const decided = openOrJoin(known);
        if (!("incident" in decided)) return decided;
        return { ...decided, incident: { ...decided.incident, input: { kind: "event", eventId: "evt-first" } } };
      };
      const occur = (eventId: string, ms: number) =>
        scope.failures.decide(occurrence(fingerprint, { eventId, at: after(ms).toISOString() }), opening);
      await occur("evt-first", 0);
      const [incident] = await scope.incidents.list({ limit: 1 });
      const id = incident?.id ?? "";
      await scope.incidents.complete(id, (await scope.incidents.begin(id, now)) ?? 0, report, now);
      await occur("evt-more", 1);
      expect(await scope.incidents.input(id)).toEqual({ kind: "event", eventId: "evt-first" });
      await scope.lifecycle.change(id, resolve, ada, after(2));
      await occur("evt-back", 3);
      expect(await scope.incidents.input(id)).toEqual({ kind: "event", eventId: "evt-back" });
    });

    it("keeps what a person did without their name once their account is removed", async () => {
      const { change, read } = await withIncident();
      await change(resolve, 10);
      expect(await db().accounts.remove(ada.id)).toEqual({ outcome: "removed" });
      const { lifecycle, activity } = await read();
      expect([lifecycle.by, activity?.[0]?.by]).toEqual([
        { ...ada, name: "a removed account" },
        { ...ada, name: "a removed account" },
      ]);
    });

    it("belongs to one organization", async () => {
      const { id, read } = await withIncident();
      const theirs = db().scope(await organization(db()));
      expect(await theirs.lifecycle.change(id, resolve, ada, now)).toEqual({ outcome: "unknown" });
      expect((await read()).lifecycle.state).toBe("open");
    });

    it("filters the list, in which a mute for a time that has passed is open", async () => {
      const { scope, change } = await withIncident();
      await change({ action: "mute", until: { kind: "time", at: after(hourMs).toISOString() } }, 1);
      const listed = async (is: "open" | "muted", ms: number) =>
        (await scope.incidents.list({ limit: 10, state: { is, at: after(ms).toISOString() } })).length;
      expect([await listed("muted", 2), await listed("open", 2)]).toEqual([1, 0]);
      expect([await listed("muted", hourMs), await listed("open", hourMs)]).toEqual([0, 1]);
    });

    it("announces each return once, and a resolution unless the failure came back before it was sent", async () => {
      const { scopeId, scope, id, occur, change } = await withIncident();
      await makeRule(scope.notifications, {});
      await change(resolve, hourMs);
      await occur("1.0.0", 2 * hourMs);
      await occur("1.0.0", 2 * hourMs);
      await change(resolve, 3 * hourMs);
      const noted = await db().notifications.occasions(after(4 * hourMs), 1_000);
      const own = noted.filter((occasion) => occasion.scopeId === scopeId).map((occasion) => occasion.id);
      expect(own.toSorted()).toEqual([`${id}:resolved:1`, `${id}:returned:1`]);
    });
  });
}
