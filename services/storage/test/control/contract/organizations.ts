import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { after, now, organization, user } from "./samples.ts";

/** What every control database does about organizations. */
export function describeOrganizations(name: string, db: () => ControlDb): void {
  describe(`${name}: organizations`, () => {
    it("makes an organization once per slug, also when ten ask at once", async () => {
      const slug = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => db().organizations.ensure({ slug, name: "Acme", now })),
      );
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.filter(({ created }) => created).length).toBe(1);
      expect(answers[0]?.id).toMatch(/^org_[0-9a-f]{32}$/);
    });

    it("knows members, and adding one twice is adding one", async () => {
      const [first, second] = [await organization(db()), await organization(db())];
      const userId = await user(db());
      await db().organizations.addMember({ organizationId: second, userId, role: "member", now: after(1) });
      await db().organizations.addMember({ organizationId: first, userId, role: "owner", now: after(2) });
      await db().organizations.addMember({ organizationId: first, userId, role: "member", now: after(3) });
      expect(await db().organizations.ofUser(userId)).toEqual([
        { id: second, name: "Acme", role: "member" },
        { id: first, name: "Acme", role: "owner" },
      ]);
      expect(await db().organizations.ofUser("stranger")).toEqual([]);
    });

    it("keeps what its owner chose, replaces it whole, and knows nothing of what was not chosen", async () => {
      const { organizations } = db();
      const [chosen, other] = [await organization(db()), await organization(db())];
      await organizations.configure(chosen, {
        retentionDays: 90,
        eventsPerDay: 1_000,
        inputBytesMax: null,
        plainUsers: false,
        passwordsOff: false,
      });
      expect(await organizations.settings(chosen)).toEqual({
        retentionDays: 90,
        eventsPerDay: 1_000,
        inputBytesMax: null,
        plainUsers: false,
        passwordsOff: false,
      });
      await organizations.configure(chosen, {
        retentionDays: null,
        eventsPerDay: 1,
        inputBytesMax: null,
        plainUsers: false,
        passwordsOff: false,
      });
      expect(await organizations.settings(chosen)).toEqual({
        retentionDays: null,
        eventsPerDay: 1,
        inputBytesMax: null,
        plainUsers: false,
        passwordsOff: false,
      });
      expect(await organizations.settings(other)).toEqual({
        retentionDays: null,
        eventsPerDay: null,
        inputBytesMax: null,
        plainUsers: false,
        passwordsOff: false,
      });
    });
  });
}
