import { randomUUID } from "node:crypto";
import { type Renewal, renewalText } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeProvider } from "../../src/changes/release-changes.ts";
import { withReleaseCommits } from "../../src/changes/release-commits.ts";
import { uploadedChanges } from "../../src/changes/uploaded-changes.ts";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { type Files, uploadRelease } from "../changes/release-case.ts";
import { failureEvent, failureOf, incidentsOf } from "../incidents/reported-failures.ts";
import { makeOrganization, silent, startTestService, type TestService } from "../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const organization = () => makeOrganization(service, randomUUID());
type Organization = Awaited<ReturnType<typeof organization>>;

/** What the report says is new after a failure of `cart` 1.0.0 occurred in 1.1.0, too. */
async function renewalOf(acme: Organization, changes: ChangeProvider): Promise<Renewal | null> {
  const { control, events, metrics, clock } = service;
  const context = { control, events, metrics, clock: () => clock.now, logger: silent };
  const decide = failureHandler({ ...context, relayOutbox: () => undefined });
  const investigate = investigationHandler({ ...context, changes });
  for (const release of ["1.0.0", "1.1.0"]) {
    clock.now += 60_000;
    const stored = failureEvent(service, acme.id, { service: "cart", release, line: 4 });
    await events.insert([stored]);
    await decide({ scope_id: acme.id, failures: [failureOf(stored)] }, { number: 1 });
    const asked = (await control.outbox.pending(1_000)).filter(({ body }) => body.includes(acme.id));
    await control.outbox.remove(asked.map(({ id }) => id));
    const { signal } = new AbortController();
    for (const { body } of asked) await investigate(JSON.parse(body), { id: "m1", number: 1, signal });
  }
  const [incident, ...others] = await incidentsOf(service, acme);
  expect([incident?.status, others]).toEqual(["completed", []]);
  return incident?.lifecycle.renewal ?? null;
}

async function uploaded(acme: Organization, old: Files, now: Files): Promise<ChangeProvider> {
  await uploadRelease(service.control, acme.id, { service: "cart", release: "1.0.0", files: old });
  await uploadRelease(service.control, acme.id, { service: "cart", release: "1.1.0", files: now });
  return uploadedChanges(service.control);
}

const files: Files = { "src/log.js": "1\n", "src/tax.js": "1\n", "read.js": "1\n\n\nthrow boom\n" };

describe("a report on a failure that a new release has, too", () => {
  it("names the files that changed since the release before, those that it is about first", async () => {
    const acme = await organization();
    const changed = { ...files, "src/log.js": "2\n", "read.js": "2\n\n\nthrow boom\n" };
    const renewal = await renewalOf(acme, await uploaded(acme, files, changed));
    expect(renewal).toMatchObject({
      ...{ why: "new-release", release: "1.1.0", release_before: "1.0.0", same_cause: true },
      news: { files: { named: ["read.js", "src/log.js"], more: 0 } },
    });
    expect(renewal && renewalText(renewal)).toMatch(/Changed between the two releases: read\.js, src\/log\.js\.$/);
  });

  it("says that no file changed, when both releases have the same code", async () => {
    const acme = await organization();
    const renewal = await renewalOf(acme, await uploaded(acme, files, files));
    expect(renewal?.news?.files).toEqual({ named: [], more: 0 });
  });

  it("names the files of its commits, when only those are known", async () => {
    const acme = await organization();
    const { releaseCommits } = service.control.scope(acme.id);
    const committed = { author: "Ada", subject: "Round prices", at: "2026-03-01T11:00:00.000Z" };
    const paths: Readonly<Record<string, string>> = { "1.0.0": "cart/src/old.js", "1.1.0": "cart/src/price.js" };
    for (const [index, [release, path]] of Object.entries(paths).entries()) {
      const at = new Date(service.clock.now + index);
      await releaseCommits.announce(release, ["cart"], at, 100);
      await releaseCommits.set(release, [{ ...committed, id: `${index}`.repeat(40), paths: [path] }], at);
    }
    const nothingKnown: ChangeProvider = { between: async () => null };
    const renewal = await renewalOf(acme, withReleaseCommits(nothingKnown, service.control));
    expect(renewal?.news?.files).toEqual({ named: ["cart/src/price.js"], more: 0 });
  });

  it("is written without them, when nothing knows what changed, or what does fails", async () => {
    const unknown: ChangeProvider = { between: async () => null };
    const failing: ChangeProvider = { between: () => Promise.reject(new Error("the disk is gone")) };
    for (const changes of [unknown, failing]) {
      const renewal = await renewalOf(await organization(), changes);
      expect(renewal).toMatchObject({ same_cause: true, news: { files: null } });
    }
  });
});
