import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { organization, twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../src/index.ts";
import { controlDatabases } from "./databases.ts";

function options({ identity }: ControlDb) {
  return {
    database: { db: identity.db, type: identity.type },
    secret: "a secret of thirty-two characters",
    baseURL: "http://127.0.0.1:4000",
    emailAndPassword: { enabled: true },
    plugins: [organization(), twoFactor()],
  };
}

describe.each(controlDatabases())("identity tables of $name", ({ create }) => {
  it("are what the identity library would create itself: it finds nothing to create or add", async () => {
    const { toBeCreated, toBeAdded } = await getMigrations(options(await (await create())()) as never);
    expect(toBeCreated).toEqual([]);
    expect(toBeAdded).toEqual([]);
  });

  it("store a sign-up, an organization, and a member that our own directory knows", async () => {
    const db = await (await create())();
    const auth = betterAuth(options(db));
    const email = "ada@example.com";
    const { user } = await auth.api.signUpEmail({ body: { email, password: "correct horse", name: "Ada" } });
    const made = await auth.api.createOrganization({ body: { name: "Acme", slug: "acme", userId: user.id } });
    expect(await db.organizations.ofUser(user.id)).toEqual([{ id: made?.id, name: "Acme", role: "owner" }]);
    const now = new Date("2026-03-01T12:00:00.000Z");
    expect(await db.organizations.ensure({ slug: "acme", name: "other", now })).toEqual({
      id: made?.id,
      created: false,
    });
    const { token } = await auth.api.signInEmail({ body: { email, password: "correct horse" } });
    expect(token).toBeTruthy();
  });
});
