import { describe, expect, it } from "vitest";
import { type Files, traced } from "../signals-in.ts";

/** The functions that keep what they take from a pool, and how. */
async function keptIn(log: string, files: Files): Promise<unknown[]> {
  return (await traced(log, files)).signals.flatMap((signal) =>
    signal.kind === "kept-resource" ? [[signal.subject.file, signal.args.how, signal.args.leavesAtLine]] : [],
  );
}

describe("a connection that is taken in JavaScript", () => {
  const log = `Error: no slot: all 2 in use
    at Slots.acquire (file:///srv/slots.js:1:9)
    at find (file:///srv/find.js:2:22)
`;
  const taking = (rest: string, keyword = "const") =>
    `export async function run(slots, order) {\n  ${keyword} slot = await slots.acquire();\n${rest}}\n`;
  const given = taking("  try {\n    return slot.run(order);\n  } finally {\n    slot.release();\n  }\n");
  const others = { "find.js": given, "count.js": given };

  it.each([
    ["its block releases it", taking("  return slot.run(order);\n", "await using"), []],
    ["another function gets it", "import { keep } from './find.js';\n", []],
    ["it is returned", taking("  return slot;\n"), []],
    ["it is kept in a field", taking("  order.slot = slot;\n"), []],
    ["it is released before each exit", taking("  slot.release();\n  if (order.paid) return;\n  order.pay();\n"), []],
    ["an exit returns it", taking("  if (order.paid) return { slot };\n  slot.release();\n"), []],
    ["nothing releases it", taking("  return slot.run(order);\n"), [["store.js", "never", null]]],
    [
      "an exit comes before its release",
      taking("  if (order.paid) return;\n  slot.run(order);\n  slot.release();\n"),
      [["store.js", "unless-left", 3]],
    ],
    [
      "a throw comes before its release",
      taking("  if (order.paid) throw new Error();\n  slot.run(order);\n  slot.release();\n"),
      [["store.js", "unless-left", 3]],
    ],
  ])("is seen when %s", async (_, store, found) => {
    expect(await keptIn(log, { ...others, "store.js": store })).toEqual(found);
  });
});

describe("a connection that is taken in another language", () => {
  it.each([
    ["  connection.run(order)\n", [["store.rb", "never", null]]],
    ["  return nil if order.paid\n  connection.run(order)\n  connection.release\n", [["store.rb", "unless-left", 3]]],
    ["  begin\n    connection.run(order)\n  ensure\n    connection.release\n  end\n", []],
  ])("is kept or given back in Ruby: %j", async (rest, found) => {
    const taking = (name: string, body: string) =>
      `def ${name}(pool, order)\n  connection = pool.checkout\n${body}end\n`;
    const files = {
      "pool.rb": "class Pool\n  def checkout\n    raise 'pool is exhausted: all 2 in use'\n  end\nend\n",
      "find.rb": taking("find", "  connection.run(order)\n  connection.release\n"),
      "count.rb": taking("count", "  connection.run(order)\n  connection.release\n"),
      "store.rb": taking("store", rest),
    };
    const log =
      "/srv/pool.rb:3:in `checkout': pool is exhausted: all 2 in use (RuntimeError)\n\tfrom /srv/find.rb:2:in `find'\n";
    expect(await keptIn(log, files)).toEqual(found);
  });

  it.each([
    ["    return connection.rows(id);\n", [["Store.java", "never", null]]],
    ["    if (id == 0) return null;\n    connection.close();\n    return null;\n", [["Store.java", "unless-left", 4]]],
    ["    try {\n      return connection.rows(id);\n    } finally {\n      connection.close();\n    }\n", []],
  ])("is kept or given back in Java: %j", async (rest, found) => {
    const taking = (name: string, body: string) =>
      `class ${name} {\n  Row run(DataSource pool, int id) {\n    Connection connection = pool.getConnection();\n${body}  }\n}\n`;
    const closed = "    connection.close();\n    return null;\n";
    const files = {
      "Find.java": taking("Find", closed),
      "Count.java": taking("Count", closed),
      "Store.java": taking("Store", rest),
    };
    const log =
      'Exception in thread "main" java.sql.SQLException: Connection is not available, pool is exhausted\n\tat com.zaxxer.hikari.HikariPool.getConnection(HikariPool.java:9)\n\tat Find.run(Find.java:3)\n';
    expect(await keptIn(log, files)).toEqual(found);
  });
});

describe("a permit in Java", () => {
  const log = `Exception in thread "main" java.util.concurrent.TimeoutException: busy for 200 ms
	at shop.Slots.acquire(Slots.java:9)
	at shop.Club.price(Club.java:4)
`;
  const priced = (before: string, after = ""): string =>
    `package shop;\nclass Price {\n  int price(Disc disc) throws Exception {\n    ${before}quotes.acquire();\n    ${after}\n    try {\n      return disc.cents();\n    } finally {\n      quotes.release();\n    }\n  }\n}\n`;
  const club =
    "package shop;\nclass Club {\n  int price(Disc disc) throws Exception {\n    quotes.acquire();\n    try {\n      return 1;\n    } finally {\n      quotes.release();\n    }\n  }\n}\n";

  it.each([
    [
      "an exit comes before what releases it",
      priced("", "if (disc.isRare()) return 0;"),
      [["Rare.java", "unless-left", 5]],
    ],
    ["the exit comes before it is taken", priced("if (disc.isRare()) return 0; "), []],
    ["the exit releases it", priced("", "if (disc.isRare()) { quotes.release(); return 0; }"), []],
    ["nothing was taken", priced("try { ", "} catch (Busy busy) { throw new Late(); }"), []],
  ])("is seen when %s", async (_, rare, found) => {
    expect(await keptIn(log, { "Club.java": club, "Rare.java": rare })).toEqual(found);
  });
});

describe("a lock in Python", () => {
  it("is kept where an exit comes before what releases it", async () => {
    const log = `Traceback (most recent call last):
  File "/srv/club.py", line 2, in price
    seats.acquire()
  File "/srv/seats.py", line 3, in acquire
TimeoutError: seats busy
`;
    const club =
      "def price(seats):\n    seats.acquire()\n    try:\n        return 1\n    finally:\n        seats.release()\n";
    const rare = club.replace("    try:", "    if late:\n        return 0\n    try:");
    expect(await keptIn(log, { "club.py": club, "rare.py": rare })).toEqual([["rare.py", "unless-left", 4]]);
    expect(await keptIn(log, { "club.py": club, "rare.py": club })).toEqual([]);
  });
});
