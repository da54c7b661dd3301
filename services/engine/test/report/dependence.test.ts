import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

type Files = Readonly<Record<string, string>> & { readonly "check.js": string };

/** What the report says of a file that isn't on the stack of a failure in the line of `check.js` that has `FAILS`. */
async function saidOf(file: string, files: Files): Promise<string | undefined> {
  const line = files["check.js"].split("\n").findIndex((one) => one.includes("FAILS")) + 1;
  const log = `TypeError: Cannot read properties of undefined (reading 'row')\n    at check (/srv/check.js:${line}:3)\n`;
  const { report } = await investigated(textSubject(log, files));
  return report.candidates.find(({ location }) => location?.file === file)?.statement;
}

const bookings = {
  "check.js": `import { seats } from './seats.js';
export function check(id) {
  return seats.get(id).row; // FAILS
}
`,
  "seats.js": "export const seats = new Map();\n",
  "release.js": `import { seats } from './seats.js';
export function release(id) {
  seats.delete(id);
}
`,
  "names.js": "export function nameOf(guest) {\n  return guest.name;\n}\n",
};

describe("a candidate that isn't on the stack", () => {
  it("is said to change what the failing code uses", async () => {
    expect(await saidOf("release.js", bookings)).toBe(
      "`release` (`release.js:3`) may change what `check` (`check.js:3`) uses as `seats`.",
    );
  });

  it("is said to set what the failing code reads", async () => {
    expect(await saidOf("seats.js", bookings)).toBe("`seats.js:1` sets what `check` (`check.js:3`) reads as `seats`.");
  });

  it("is said to set a field that the failing code reads by its name", async () => {
    const check = `export function check(account) {
  if (account.balance < 0) {
    throw new Error('overdrawn'); // FAILS
  }
}
`;
    const post = "export function post(account, amount) {\n  account.balance = account.balance - amount;\n}\n";
    expect(await saidOf("post.js", { "check.js": check, "post.js": post })).toBe(
      "`post` (`post.js:2`) sets a field `balance`, and `check` (`check.js:2`) reads one of that name.",
    );
  });

  it("isn't tied to a failure by a field that many files set", async () => {
    const check = `export function check(account) {
  if (account.id < 0) {
    throw new Error('no account'); // FAILS
  }
}
`;
    const setting = (name: string): string => `export function ${name}(account, id) {\n  account.id = id - 1;\n}\n`;
    const files = {
      "check.js": check,
      "post.js": setting("post"),
      "move.js": setting("move"),
      "undo.js": setting("undo"),
    };
    expect(await saidOf("post.js", files)).not.toContain("a field");
  });

  it("is said to be called by code that the failure depends on", async () => {
    const check = `import { limitOf } from './limits.js';
export function check(order) {
  if (order.count > limitOf(order)) {
    throw new Error('too many'); // FAILS
  }
}
`;
    const files = { "check.js": check, "limits.js": "export function limitOf(order) {\n  return order.max;\n}\n" };
    expect(await saidOf("limits.js", files)).toBe("`limitOf` (`limits.js:2`) is called by `check` (`check.js:3`).");
  });

  it("isn't tied to a failure by the name of a method that lists have too", async () => {
    const check = `export function check(seats, order) {
  const seat = seats.find(({ id }) => id === order.seat);
  return seat.row; // FAILS
}
`;
    const routes = "export class Routes {\n  find(path) {\n    return this.known[path];\n  }\n}\n";
    expect(await saidOf("routes.js", { "check.js": check, "routes.js": routes })).not.toContain("calls a function");
  });

  it("isn't a file without code", async () => {
    const check = `def check(order):
    log("desk")
    return order["row"]
`;
    const log = `Traceback (most recent call last):
  File "/srv/desk/check.py", line 3, in check
    return order["row"]
KeyError: 'row'
`;
    const files = { "desk/check.py": check, "desk/__init__.py": "", "desk/seats.py": "def seats():\n    return 3\n" };
    const { report } = await investigated(textSubject(log, files));
    expect(report.candidates.map(({ location }) => location?.file)).not.toContain("desk/__init__.py");
  });

  it.each([
    ["fees.py", "`fee_of` (`fees.py:2`) is called by `check` (`check.py:5`)."],
    ["store.py", "`connect` (`store.py:2`) is called by `begin` (`begin.py:6`)."],
  ])(
    "is said to be called in the line of the call, whatever its statement or function begins with: %s",
    async (file, said) => {
      const files = {
        "check.py": `from begin import begin
from fees import fee_of

def check(order):
    fee = fee_of(order)
    return begin(order["row"], fee)
`,
        "begin.py": `import logging
from store import connect

def begin(row, fee):
    logging.basicConfig()
    connect(row)
`,
        "fees.py": "def fee_of(order):\n    return order['max']\n",
        "store.py": "def connect(row):\n    return row.max\n",
      };
      const log = `Traceback (most recent call last):
  File "/srv/check.py", line 6, in check
    return begin(order["row"], fee)
KeyError: 'row'
`;
      const { report } = await investigated(textSubject(log, files));
      expect(report.candidates.find(({ location }) => location?.file === file)?.statement).toBe(said);
    },
  );

  it.each([
    ["Limits.of(order)", "is called by"],
    ["limits.of(order)", "may be called by"],
  ])("is said to be called for sure if its class is spelled: %s", async (call, said) => {
    const check = `import { Limits } from './limits.js';
export function check(order, limits = Limits) {
  if (order.count > ${call}) {
    throw new Error('too many'); // FAILS
  }
}
`;
    const limits = "export class Limits {\n  static of(order) {\n    return order.max;\n  }\n}\n";
    expect(await saidOf("limits.js", { "check.js": check, "limits.js": limits })).toContain(
      `${said} \`check\` (\`check.js:3\`)`,
    );
  });

  it("is said to be called for sure if it is the constructor of a class that is spelled", async () => {
    const check =
      "import { Limits } from './limits.js';\nexport function check(order) {\n  if (new Limits(order).max < order.count) throw new Error('too many'); // FAILS\n}\n";
    const limits = "export class Limits {\n  constructor(order) {\n    this.max = order.rooms.length;\n  }\n}\n";
    expect(await saidOf("limits.js", { "check.js": check, "limits.js": limits })).not.toContain("may be called");
  });

  it("is said to set what the failing code reads by another name", async () => {
    const check = "const open = require('./seats');\nfunction check(id) {\n  return open.get(id).row; // FAILS\n}\n";
    expect(await saidOf("seats.js", { "check.js": check, "seats.js": "module.exports = new Map();\n" })).toBe(
      "`seats.js:1` sets what `check` (`check.js:3`) reads as `open`.",
    );
  });

  it("is said to pass what may be what the failing code reads", async () => {
    const check = `export function check(seat) {
  if (seat.row > 9) {
    throw new Error('no such row'); // FAILS
  }
}
`;
    const serve = "export function serve(door) {\n  door.check(2);\n}\n";
    expect(await saidOf("serve.js", { "check.js": check, "serve.js": serve })).toBe(
      "`serve` (`serve.js:2`) may pass what `check` (`check.js:2`) reads as `seat`.",
    );
  });

  it("is said to set a field in a function of its own, not to pass something to that", async () => {
    const check = `export function check(accounts, name) {
  const account = accounts.find((one) => one.holder === name);
  if (!account) {
    throw new Error('unknown'); // FAILS
  }
}
`;
    const read = `export function readAccounts(text) {
  return text
    .split(';')
    .map((line) => {
      const [id, holder] = line.split(',');
      return { id, holder };
    });
}
`;
    expect(await saidOf("read.js", { "check.js": check, "read.js": read })).toMatch(
      /^`readAccounts` \(`read\.js:\d`\) sets a field `holder`, and `check` \(`check\.js:2`\) reads one of that name\.$/,
    );
  });

  it("is said to use a function that may be the one that failed, or something else", async () => {
    const check = "export function check() {\n  throw new Error('closed'); // FAILS\n}\n";
    const other = "export function rate(door) {\n  door.check('open');\n}\n";
    expect(await saidOf("door.js", { "check.js": check, "door.js": other })).toBe(
      "`rate` (`door.js:2`) also uses `check` (`check.js:2`), or something else of that name.",
    );
  });

  it("is said to be named, or to be in a folder that is", async () => {
    const check = `import { readFileSync, readdirSync } from 'node:fs';
export function check() {
  const one = JSON.parse(readFileSync('data/first.json', 'utf8'));
  const others = readdirSync('limits');
  if (one > others.length) throw new Error('too many'); // FAILS
}
`;
    const files = { "check.js": check, "data/first.json": "7\n", "limits/low.json": "{}\n" };
    expect(await saidOf("data/first.json", files)).toMatch(/ is named by `check` \(`check\.js:3`\)\.$/);
    expect(await saidOf("limits/low.json", files)).toMatch(
      / is in the folder `limits`, which `check` \(`check\.js:4`\) mentions\.$/,
    );
  });

  it("is said to be possibly called where it is a method, whose object may be another one", async () => {
    const check = `export class Shop {
  check(order) {
    if (order.count > this.rows.total()) {
      throw new Error('too many'); // FAILS
    }
  }
}
`;
    const cart = "export class Cart {\n  total() {\n    return this.sum;\n  }\n}\n";
    expect(await saidOf("cart.js", { "check.js": check, "cart.js": cart })).toBe(
      "`Cart.total` (`cart.js:3`) may be called by `Shop.check` (`check.js:3`).",
    );
  });

  it("has evidence of its own code and of the code that depends on it", async () => {
    const log = "TypeError: Cannot read properties of undefined (reading 'row')\n    at check (/srv/check.js:3:24)\n";
    const { report } = await investigated(textSubject(log, bookings));
    const released = report.candidates.find(({ location }) => location?.file === "release.js");
    const quoted = report.evidence
      .filter(({ id }) => released?.evidence_ids.includes(id))
      .map(({ excerpt }) => excerpt);
    expect(quoted.some((code) => code.includes("seats.delete(id)"))).toBe(true);
    expect(quoted.some((code) => code.includes("seats.get(id).row"))).toBe(true);
  });

  it("is said to be imported by code on the stack, or to import that", async () => {
    const check = "import './registry.js';\nexport function check(seat) {\n  return seat.row; // FAILS\n}\n";
    const files = {
      "check.js": check,
      "registry.js": "export const known = [];\n",
      "desk.js": "import { check } from './check.js';\nexport const desks = 2;\n",
    };
    expect(await saidOf("registry.js", files)).toBe("`registry.js` is imported by `check.js`, which is on the stack.");
    expect(await saidOf("desk.js", files)).toBe("`desk.js` imports `check.js`, which is on the stack.");
  });

  it("is said to be only a likely one where no evidence leads to it", async () => {
    expect(await saidOf("names.js", bookings)).toBe("`names.js` is listed by its likelihood alone.");
  });
});
