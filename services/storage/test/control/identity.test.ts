import { join } from "node:path";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { organization } from "better-auth/plugins";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSqliteControlDb } from "../../src/control/sqlite-control-db.ts";
import type { ControlDb } from "../../src/index.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

async function open(): Promise<ControlDb> {
  const db = await openSqliteControlDb({ path: join(temporaryDirectory(), "control.sqlite"), secretKeys: [] });
  onTestFinished(() => db.close());
  return db;
}

function options({ identity }: ControlDb) {
  return {
    database: { db: identity.db, type: identity.type },
    secret: "a secret of thirty-two characters",
    baseURL: "http://127.0.0.1:4000",
    emailAndPassword: { enabled: true },
    plugins: [organization()],
  };
}

describe("identity tables", () => {
  it("are what the identity library would make itself: it finds nothing to create and nothing to add", async () => {
    const { toBeCreated, toBeAdded } = await getMigrations(options(await open()) as never);
    expect(toBeCreated).toEqual([]);
    expect(toBeAdded).toEqual([]);
  });

  it("carry a sign-up, an organization, and a member that our own directory knows", async () => {
    const db = await open();
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
