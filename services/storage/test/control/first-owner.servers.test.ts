import { betterAuth } from "better-auth";
import { describe, expect, it } from "vitest";
import type { ControlDb, FirstOwner } from "../../src/index.ts";
import { after, now, organization } from "./contract/samples.ts";
import { controlDatabases } from "./databases.ts";

const email = "ada@example.com";
const password = "correct horse";

/** The identity library, as a service with an open sign-up has it. */
function authOf({ identity }: ControlDb) {
  return betterAuth({
    database: { db: identity.db, type: identity.type },
    secret: "a secret of thirty-two characters",
    baseURL: "http://127.0.0.1:4000",
    emailAndPassword: { enabled: true },
  });
}

async function owner(db: ControlDb, organizationId: string, overrides: Partial<FirstOwner> = {}): Promise<FirstOwner> {
  const { password: hasher } = await authOf(db).$context;
  return { organizationId, name: "Ada", email, passwordHash: await hasher.hash(password), now, ...overrides };
}

describe.each(controlDatabases())("the first owner in $name", ({ create }) => {
  it("signs in with what the setup stored, and is the only owner", async () => {
    const db = await (await create())();
    const organizationId = await organization(db);
    expect(await db.organizations.isSetUp()).toBe(false);
    const ada = await owner(db, organizationId);
    expect(await db.organizations.setUp(ada)).toBe("done");
    const { user } = await authOf(db).api.signInEmail({ body: { email, password } });
    expect(user).toMatchObject({ name: "Ada", email, emailVerified: true, createdAt: now });
    expect(await db.organizations.ofUser(user.id)).toEqual([{ id: organizationId, name: "Acme", role: "owner" }]);
    expect(await db.organizations.isSetUp()).toBe(true);
    expect(await db.organizations.setUp({ ...ada, email: "eve@example.com" })).toBe("spent");
    expect(await db.organizations.setUp(ada)).toBe("spent");
    expect(
      await authOf(db)
        .api.signInEmail({ body: { email: "eve@example.com", password } })
        .catch(String),
    ).toContain("Invalid");
  });

  it("is one of ten who come at once, from two processes, and the others leave nothing behind", async () => {
    const open = await create();
    const processes = [await open(), await open()] as const;
    const organizationId = await organization(processes[0]);
    const template = await owner(processes[0], organizationId);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? processes[0] : processes[1]).organizations.setUp({
          ...template,
          email: `${index % 5}@example.com`,
        }),
      ),
    );
    expect(outcomes.sort()).toEqual(["done", ...Array.from({ length: 9 }, () => "spent")]);
    const users = processes[0].identity.db.withTables<{ user: { id: string } }>().selectFrom("user").select("id");
    expect((await users.execute()).length).toBe(1);
  });

  it("stays the first owner, whatever happens to the organization and its members", async () => {
    const db = await (await create())();
    const organizationId = await organization(db);
    await db.organizations.setUp(await owner(db, organizationId));
    const tables = db.identity.db.withTables<{ organization: { id: string } }>();
    await tables.deleteFrom("organization").where("id", "=", organizationId).execute();
    expect(await db.organizations.isSetUp()).toBe(true);
  });

  it("takes over an account without an organization, and ends its sessions", async () => {
    const db = await (await create())();
    const organizationId = await organization(db);
    const { api } = authOf(db);
    const stranger = await api.signUpEmail({ body: { name: "Eve", email, password: "eve's own" } });
    const headers = new Headers({ authorization: `Bearer ${stranger.token}` });
    expect(await db.organizations.setUp(await owner(db, organizationId, { now: after(1) }))).toBe("done");
    expect(await api.getSession({ headers })).toBeNull();
    const sessions = db.identity.db.withTables<{ session: { id: string } }>().selectFrom("session").select("id");
    expect(await sessions.execute()).toEqual([]);
    expect(await api.signInEmail({ body: { email, password: "eve's own" } }).catch(String)).toContain("Invalid");
    const { user } = await api.signInEmail({ body: { email, password } });
    expect(user).toMatchObject({ id: stranger.user.id, name: "Ada" });
  });

  it("takes no account from another organization, and may then come with another address", async () => {
    const db = await (await create())();
    const [organizationId, other] = [await organization(db), await organization(db)];
    const { user } = await authOf(db).api.signUpEmail({ body: { name: "Bob", email, password } });
    await db.organizations.addMember({ organizationId: other, userId: user.id, role: "owner", now });
    expect(await db.organizations.setUp(await owner(db, organizationId))).toBe("email-taken");
    expect(await db.organizations.isSetUp()).toBe(false);
    expect(await db.organizations.setUp(await owner(db, organizationId, { email: "a@example.com" }))).toBe("done");
  });
});
