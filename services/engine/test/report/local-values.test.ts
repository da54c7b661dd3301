import { describe, expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { eventSubject, exception, frameAt, type Program, reportedEvent } from "../reported-event.ts";

const python: Program = {
  "/srv/billing/charges.py": `def charge(user, amount):
    if amount > user.limit:
        raise ValueError("over the limit")
    return user.token[:4]
`,
};
const script: Program = {
  "/srv/billing/src/prices.js": `export function priceOf(account, plan) {
  return account.prices[plan].cents;
}
`,
};

interface Failing {
  readonly program: Program;
  readonly file: string;
  readonly code: string;
  readonly name: string;
}
const compared: Failing = { program: python, file: "/srv/billing/charges.py", code: "amount > user", name: "charge" };
const looked: Failing = { program: script, file: "/srv/billing/src/prices.js", code: "cents", name: "priceOf" };

async function reportOf({ program, file, code, name }: Failing, type: string, message: string, vars: object) {
  const frame = { ...frameAt(program, file, code, name), vars: { ...vars } };
  const event = reportedEvent({ exceptions: [exception(type, message, [frame])] });
  return (await investigated(eventSubject(event, "billing"))).report;
}

const unordered = "'>' not supported between instances of 'NoneType' and 'int'";
const unread = "Cannot read properties of undefined (reading 'cents')";

describe("the local variables of the failing call", () => {
  it("are said in the headline where the error doesn't say which operand it was", async () => {
    const vars = { amount: null, user: { "<type>": "User", limit: 100, token: "[redacted]" } };
    const report = await reportOf(compared, "TypeError", unordered, vars);
    expect(report.root_cause_summary).toContain("`user.limit` is `100` in `charge`.");
  });

  it("are evidence with the names that the failing code has, and no other", async () => {
    const vars = { amount: null, user: { limit: 100 }, session: "s-1" };
    const report = await reportOf(compared, "TypeError", unordered, vars);
    const shown = report.evidence.find(({ summary }) => summary.includes("`amount` is `None`"));
    expect(shown?.source.name).toContain("local variables");
    expect(shown?.excerpt).toBe('{"amount":null,"user.limit":100}');
    expect(report.detailed_analysis).toContain(
      `\`user.limit\` is \`100\` in \`charge\` (\`charges.py:2\`). [${shown?.id}]`,
    );
    expect(JSON.stringify(report)).not.toContain("s-1");
  });

  it.each([
    ["<Decimal 0.19>", 'Decimal("0.19")'],
    ["<datetime 2026-11-30 13:00:00+00:00>", 'datetime("2026-11-30 13:00:00+00:00")'],
    ["<enum Color.RED>", "Color.RED"],
    ["<float nan>", "nan"],
    ["0.19", '"0.19"'],
  ])("are written with their type: %s", async (sent, written) => {
    const report = await reportOf(compared, "TypeError", unordered, { amount: null, user: { limit: sent } });
    expect(report.root_cause_summary).toContain(`\`user.limit\` is \`${written}\``);
  });

  it("begin with the date that has no time zone", async () => {
    const till: Program = { "/srv/till.py": "def settle(at, since):\n    return at - since\n" };
    const failing: Failing = { program: till, file: "/srv/till.py", code: "at - since", name: "settle" };
    const vars = { at: "<datetime 2026-03-01 10:00:00+00:00>", since: "<datetime 2026-02-28 18:00:00>" };
    const message = "can't subtract offset-naive and offset-aware datetimes";
    const { evidence } = await reportOf(failing, "TypeError", message, vars);
    const shown = evidence.find(({ source }) => source.name.includes("local variables"));
    expect(shown?.excerpt).toMatch(/^\{"since"/);
  });

  it.each([
    ["[date 2026-11-30T13:00:00.000Z]", 'new Date("2026-11-30T13:00:00.000Z")'],
    ["[bigint 12]", "12n"],
    ["[number NaN]", "NaN"],
  ])("are written with their type in JavaScript: %s", async (sent, written) => {
    const report = await reportOf(looked, "TypeError", unread, { account: { prices: {} }, plan: sent });
    expect(report.root_cause_summary).toContain(`\`plan\` is \`${written}\``);
  });

  it("give the key under which nothing was found", async () => {
    const vars = { account: { prices: { basic: { cents: 500 } } }, plan: "gold" };
    const report = await reportOf(looked, "TypeError", unread, vars);
    expect(report.root_cause_summary).toContain('`plan` is `"gold"` in `priceOf`.');
  });

  it("give what a call that found nothing was passed", async () => {
    const program = {
      "/srv/billing/charges.py": `def owner_of(ledger, number):
    found = ledger.entries.get(number.strip())
    return found.owner
`,
    };
    const failing = { program, file: "/srv/billing/charges.py", code: "found.owner", name: "owner_of" };
    const message = "'NoneType' object has no attribute 'owner'";
    const vars = { ledger: "<Ledger>", number: "A-0417", found: null };
    const report = await reportOf(failing, "AttributeError", message, vars);
    expect(report.root_cause_summary).toContain('`number` is `"A-0417"` in `owner_of`.');
    const present = await reportOf(failing, "AttributeError", "'str' object has no attribute 'owner'", vars);
    expect(present.root_cause_summary).not.toContain("A-0417");
  });

  it("aren't said twice", async () => {
    const failing = { ...looked, code: "prices[plan]" };
    const message = "Cannot read properties of undefined (reading 'prices')";
    const report = await reportOf(failing, "TypeError", message, { account: "[undefined]", plan: "gold" });
    expect(report.root_cause_summary).toContain("reads `prices` of `account`, which is `undefined`.");
    expect(report.root_cause_summary).not.toContain("is `undefined` in");
  });

  it.each(["<User>", "<int exit()>", "<enum Color.RED; exit()>"])(
    "aren't said where the client replaced or only described them, or a text looks so: %s",
    async (user) => {
      const report = await reportOf(compared, "TypeError", unordered, { amount: "[redacted]", user });
      expect(JSON.stringify(report)).not.toMatch(/local variables|<User>|exit/);
    },
  );

  it.each([
    ["dsn", "postgres://app:hunter2@db/bills"],
    ["access_token", "f3a9c1"],
    ["db_password", "hunter2"],
  ])("aren't said where they are a credential: %s", async (name, value) => {
    const program = { "/srv/billing/charges.py": `def charge(${name}, plan):\n    return plan + ${name} + 1\n` };
    const failing = { ...compared, program, code: "plan +" };
    const report = await reportOf(failing, "TypeError", unordered, { plan: "gold", [name]: value });
    expect(report.root_cause_summary).toContain('`plan` is `"gold"`');
    expect(JSON.stringify(report)).not.toContain(value);
  });

  const closing = (end: string) => ({
    "/srv/billing/charges.py": `def charge(pool, amount):
    conn = pool.connect()
    try:
        conn.run(amount + conn.fee)
${end}`,
  });

  it.each([
    ["in `finally`", "    finally:\n        conn.close(); conn = None\n", { conn: null, amount: 5 }],
    ["in `except`", "    except TypeError:\n        conn = 'none'\n        raise\n", { conn: "none", amount: 5 }],
    ["where the code isn't known", "", { conn: null, amount: 5 }],
  ])("aren't said when they changed after the error: %s", async (_, end, vars) => {
    const failing = { ...compared, program: closing(end), code: "conn.run" };
    const report = await reportOf(failing, "TypeError", "unsupported operand type(s) for +: 'int' and 'str'", vars);
    expect(report.root_cause_summary).toContain("`amount` is `5`");
    expect(report.root_cause_summary).not.toContain("`conn`");
  });

  it("change no ranking", async () => {
    const vars = { amount: null, user: { limit: 100 } };
    const [told, silent] = [
      await reportOf(compared, "TypeError", unordered, vars),
      await reportOf(compared, "TypeError", unordered, {}),
    ];
    expect(told.confidence).toEqual(silent.confidence);
    expect(told.root_cause.location).toEqual(silent.root_cause.location);
  });
});
