import { describe, expect, it } from "vitest";
import { changedDependencies } from "../../src/changes/changed-dependencies.ts";
import { changedNames } from "../../src/changes/changed-names.ts";
import { changedSettings } from "../../src/changes/changed-settings.ts";
import { isSameCode } from "../../src/changes/code-lines.ts";
import type { Hunk } from "../../src/signals/facts/release-change.ts";
import { lineReader } from "../../src/trace/lines-apart.ts";

const path = "src/body.ts";
const python = "src/body.py";
const [ruby, java] = ["app/body.rb", "src/Body.java"];
const goFile = "body.go";
const readLines = await lineReader([path, python, ruby, java, goFile]);

function hunk(removed: readonly string[], added: readonly string[], to = 10): { readonly hunk: Hunk } {
  return { hunk: { from: to, removed, to, added } };
}

function changesOf(name: string, ...hunks: readonly { readonly hunk: Hunk; readonly path?: string }[]) {
  const changes = hunks.map((one) => ({ path, ...one }));
  return changedNames(changes, new Set([name]), readLines).map(({ change, renamedTo, line }) => ({
    change,
    renamedTo,
    line,
  }));
}

const renamed = (renamedTo: string, line = 10) => [{ change: "renamed", renamedTo, line }];
const removed = [{ change: "removed", renamedTo: null, line: 10 }];

describe("a key that a release no longer gives a value", () => {
  it.each([
    ["in shorthand", "  return { id, amount };", "  return { id };"],
    ["on a line of its own", "    amount,", "    status,"],
    ["with a value", "  amount: money(cents),", "  cents,"],
    ["in a file of declarations", "export const amount: number;", "export const id: number;", "src/body.d.ts"],
    ["in JSON", '  "amount": 5,', '  "sum": 6,', "prices.json"],
    ["in YAML", "  amount: 5", "  sum: 6", "prices.yaml"],
    ["in Python", "    return {'id': id, 'amount': amount}", "    return {'id': id}", python],
    ["as a keyword argument", "Payment(id=id, amount=amount)", "Payment(id=id)", python],
    ["as a keyword argument on a line of its own", "    amount=amount,", "    id=id,", python],
    ["by assignment", "  body.amount = cents;", "  body.id = id;"],
    ["by subscript", 'body["amount"] = cents', 'body["id"] = id'],
    ["in Ruby", "{ :id => id, 'amount' => cents }", "{ :id => id }", ruby],
    ["by assignment in Ruby", "  body.amount = cents", "  body.id = id", ruby],
    ["in Go", "\tAmount: cents,", "\tId: id,", goFile, "Amount"],
    ["as a tag in Go", '\tAmount Money `json:"amount,omitempty"`', '\tId string `json:"id"`', goFile],
    ["in a map in Java", '  body.put("amount", cents);', '  body.put("id", id);', java],
    ["as a field in Java", "  private final Money amount;", "  private final String id;", java],
    ["as an annotation in Java", '  @JsonProperty("amount") private Money total;', "  private Money total;", java],
    ["in a record in Java", "record Body(String id, Money amount) {}", "record Body(String id) {}", java],
  ])("is removed: %s", (_, before, after, file = path, name = "amount") => {
    expect(changesOf(name, { path: file, ...hunk([before], [after]) })).toEqual(removed);
  });

  it.each([
    ["in shorthand", "  return { id, amount };", "  return { id, total: amount };"],
    ["with a value", "  amount: money(cents),", "  total: money(cents),"],
    ["on lines that close what they don't open", "  amount: cents });", "  total: cents });"],
    ["in Python", "    return {'amount': price.net}", "    return {'total': price.net}", python],
    ["as a keyword argument", "Payment(amount=price)", "Payment(total=price)", python],
  ])("is renamed when a new key has its value: %s", (_, before, after, file = path) => {
    expect(changesOf("amount", { path: file, ...hunk([before], [after]) })).toEqual(renamed("total"));
  });

  it("isn't said to be renamed to a new key with another value", () => {
    expect(changesOf("amount", hunk(["  amount: net,"], ["  tax: rate,"]))).toEqual(removed);
  });

  it("is renamed on the line of the new key", () => {
    const added = ["  const tax = taxOf(amount);", "  return { id, tax, total: amount };"];
    expect(changesOf("amount", hunk(["  return { id, amount };"], added))).toEqual(renamed("total", 11));
  });
});

describe("a name that remains", () => {
  it.each([
    ["a comment", "  // amount: in cents", "  // in cents"],
    ["a parameter", "function pay(id, amount: Money) {", "function pay(id) {"],
    [
      "a parameter taken apart",
      "export function body({ id, amount }: Payment) {",
      "export function body({ id }: Payment) {",
    ],
    ["what is read of an object", "const { id, amount } = body;", "const { id } = body;"],
    ["a call's argument", "  pay(id, amount);", "  pay(id);"],
    ["a property that is read", "  log(payment.amount);", "  log(payment.id);"],
    ["an import", 'import { amount } from "./amount.js";', 'import { sum } from "./sum.js";'],
    ["a comparison", "  if (body.amount === 0) return;", "  if (!body) return;"],
    ["a choice", "  return isFree ? amount : 0;", "  return 0;"],
    ["a text", '  log("amount: none");', "  log();"],
    ["a loop", "    for amount in amounts:", "    for one in amounts:", python],
    ["a variable", "    amount = net + tax", "    total = net + tax", python],
    ["a condition", "    if amount:", "    if total:", python],
    ["a variable in Java", "        Money amount = net.plus(tax);", "        return net;", java],
  ])("isn't removed with %s", (_, before, after, file = path) => {
    expect(changesOf("amount", { path: file, ...hunk([before], [after]) })).toEqual([]);
  });

  it("isn't removed when another file of the release gives it a value now", () => {
    const moved = [hunk(["  return { amount };"], ["  return amounts();"]), hunk([], ["  return { amount };"])];
    expect(changesOf("amount", ...moved)).toEqual([]);
  });

  it("isn't changed when only the variable with its value was renamed", () => {
    const before = ["const total = net + tax;", "return { amount: total };"];
    expect(changesOf("amount", hunk(before, ["const sum = net + tax;", "return { amount: sum };"]))).toEqual([]);
  });

  it("is changed when its value is different", () => {
    expect(changesOf("amount", hunk(["  amount: cents,"], ["  amount: String(cents),"]))).toEqual([
      { change: "changed", renamedTo: null, line: 10 },
    ]);
  });
});

describe("a function that a release removed", () => {
  it.each([
    ["a function", "export function load(id) {"],
    ["a method", "  async load(id) {"],
    ["a function in Python", "def load(id):", python],
    ["a function in Go", "func load(id string) error {", goFile],
    ["a method in Java", "    public Order load(String id) {", java],
    ["a function in Ruby", "  def load(id)", ruby],
    ["an export", "exports.load = (id) => id;"],
  ])("is removed: %s", (_, line, file = path) => {
    expect(changesOf("load", { path: file, ...hunk([line], []) })).toEqual(removed);
  });

  it.each([
    ["brackets in texts", ["  note: 'all fine :)',"], ["  note: 'x',"]],
    ["an open bracket in a text", ["  url: 'a' + '(',"], ["  url: 'a',"]],
    ["lines that aren't code", ["  })(}]"], ["  note: 'x',"]],
  ])("isn't taken for removed where it stays beside %s", (_, removedToo, addedToo) => {
    const kept = "  load: (id) => id,";
    expect(changesOf("load", hunk([kept, ...removedToo], [kept, ...addedToo]))).toEqual([]);
    expect(changesOf("load", hunk([kept, ...addedToo], [kept, ...removedToo]))).toEqual([]);
  });

  it("isn't known in a language that isn't read", () => {
    expect(changesOf("load", { path: "src/load.php", ...hunk(["function load($id) {"], []) })).toEqual([]);
  });
});

describe("the environment variables of a release", () => {
  it.each([
    ["JavaScript", "const key = process.env.SIGNING_KEY;"],
    ["JavaScript by subscript", 'const key = process.env["SIGNING_KEY"];'],
    ["Python", 'key = os.environ["SIGNING_KEY"]'],
    ["Python with a default", 'key = os.getenv("SIGNING_KEY", "")'],
    ["Go", 'key := os.Getenv("SIGNING_KEY")'],
    ["Ruby", 'key = ENV.fetch("SIGNING_KEY")'],
    ["Java", 'String key = System.getenv("SIGNING_KEY");'],
    ["Rust", 'let key = env::var("SIGNING_KEY");'],
  ])("are newly read, in %s", (_, line) => {
    const told = changedSettings([hunk(["start();"], ["start();", line])]);
    expect(told).toMatchObject([{ name: "SIGNING_KEY", change: "added", line: 11 }]);
  });

  it("are no longer read when no line reads them, and unchanged when another does", () => {
    const reads = 'const key = process.env["SIGNING_KEY"];';
    expect(changedSettings([hunk([reads], [])])).toMatchObject([{ name: "SIGNING_KEY", change: "removed" }]);
    expect(changedSettings([hunk([reads], []), hunk([], [reads])])).toEqual([]);
  });
});

describe("a column or table that a migration changed", () => {
  const migrated = (text: string, name = "total", path = "migrations/004.sql") =>
    changedNames([{ path, ...hunk([], text.split("\n"), 1) }], new Set([name]), readLines).map(
      ({ change, renamedTo, line, isOfDatabase }) => ({ change, renamedTo, line, isOfDatabase }),
    );

  it.each([
    ["SQL", "ALTER TABLE orders RENAME COLUMN total TO amount;"],
    ["SQL without COLUMN", "alter table shop.orders rename total to amount;"],
    ["MySQL", "ALTER TABLE `orders` CHANGE COLUMN `total` `amount` INT NOT NULL;"],
    ["SQL Server", "EXEC sp_rename 'orders.total', 'amount', 'COLUMN';"],
    ["knex", '  knex.schema.alterTable("orders", (table) => table.renameColumn("total", "amount"));'],
    ["TypeORM", '  await runner.renameColumn("orders", "total", "amount");'],
    ["Rails", "    rename_column :orders, :total, :amount"],
    ["Alembic", '    op.alter_column("orders", "total", new_column_name="amount")'],
    ["Django", '  migrations.RenameField(model_name="order", old_name="total", new_name="amount")'],
  ])("is renamed, in %s", (_, text) => {
    expect(migrated(`\n${text}`)).toEqual([{ change: "renamed", renamedTo: "amount", line: 2, isOfDatabase: true }]);
  });

  it.each([
    ["SQL", "ALTER TABLE orders DROP COLUMN IF EXISTS total;"],
    ["SQL without COLUMN", "ALTER TABLE orders ADD net INT, DROP total;"],
    ["knex", '  table.dropColumn("total");'],
    ["Rails", "    remove_column :orders, :total, :integer"],
    ["Alembic", "    op.drop_column('orders', 'total')"],
    ["Django", '  migrations.RemoveField(model_name="order", name="total")'],
  ])("is dropped, in %s", (_, text) => {
    expect(migrated(text)).toEqual([{ change: "removed", renamedTo: null, line: 1, isOfDatabase: true }]);
  });

  it("is a table, too", () => {
    expect(migrated("DROP TABLE orders;", "orders")).toMatchObject([{ change: "removed" }]);
    expect(migrated("ALTER TABLE orders RENAME TO sales;", "orders")).toMatchObject([{ renamedTo: "sales" }]);
    expect(migrated("RENAME TABLE orders TO sales;", "orders")).toMatchObject([{ renamedTo: "sales" }]);
  });

  it.each([
    ["a comment", "-- DROP TABLE total"],
    ["the part that takes it back, in SQL", "-- migrate:down\nALTER TABLE orders DROP COLUMN total;"],
    ["the part that takes it back, in JavaScript", 'exports.down = (knex) => {\n  table.dropColumn("total");'],
    ["the part that takes it back, in Python", "def downgrade():\n    op.drop_column('orders', 'total')"],
    ["a constraint", "ALTER TABLE orders DROP CONSTRAINT total;"],
    ["an index", "DROP INDEX total;"],
    ["another column", "ALTER TABLE orders DROP COLUMN subtotal;"],
  ])("isn't %s", (_, text) => {
    expect(migrated(text)).toEqual([]);
  });

  it("isn't in the file that takes a migration back", () => {
    expect(migrated("ALTER TABLE orders DROP COLUMN total;", "total", "migrations/004.down.sql")).toEqual([]);
  });
});

describe("the dependencies of a release", () => {
  it.each([
    ["package.json", '    "@shop/pg": "1.0.0",', '    "@shop/pg": "2.0.0",'],
    [
      "package-lock.json",
      'resolved": "https://r.example/npm/@shop/pg/-/pg-1.0.0.tgz",',
      'resolved": "https://r.example/npm/@shop/pg/-/pg-2.0.0.tgz",',
    ],
    ["yarn.lock", '  resolution: "@shop/pg@npm:1.0.0"', '  resolution: "@shop/pg@npm:2.0.0"'],
    ["pnpm-lock.yaml", "  '@shop/pg@1.0.0(pg@8.0.0)':", "  '@shop/pg@2.0.0(pg@8.0.0)':"],
    ["bun.lock", '    "@shop/pg": ["@shop/pg@1.0.0", "", {}],', '    "@shop/pg": ["@shop/pg@2.0.0", "", {}],'],
  ])("are compared with their scope in %s", (path, before, after) => {
    expect(changedDependencies([{ path, ...hunk([before], [after]) }])).toMatchObject([
      { name: "@shop/pg", from: "1.0.0", to: "2.0.0" },
    ]);
  });

  it.each([
    ["pyproject.toml", ['  "pg>=1.0.0",'], ['  "pg>=2.0.0",']],
    ["pyproject.toml", ['pg = "1.0.0"'], ['pg = "2.0.0"']],
    ["Cargo.toml", ['pg = { version = "1.0.0", features = [] }'], ['pg = { version = "2.0.0", features = [] }']],
    ["Cargo.lock", ['name = "pg"', 'version = "1.0.0"'], ['name = "pg"', 'version = "2.0.0"']],
    ["composer.lock", ['  "name": "pg",', '  "version": "1.0.0",'], ['  "name": "pg",', '  "version": "2.0.0",']],
    ["Pipfile.lock", ['  "pg": {', '    "version": "==1.0.0"'], ['  "pg": {', '    "version": "==2.0.0"']],
    [
      "pom.xml",
      ["<artifactId>pg</artifactId>", "<version>1.0.0</version>"],
      ["<artifactId>pg</artifactId>", "<version>2.0.0</version>"],
    ],
    ["Gemfile", ['gem "pg", "1.0.0"'], ['gem "pg", "2.0.0"']],
    [
      "shop.csproj",
      ['<PackageReference Include="pg" Version="1.0.0" />'],
      ['<PackageReference Include="pg" Version="2.0.0" />'],
    ],
    ["mix.exs", ['{:pg, "1.0.0"},'], ['{:pg, "2.0.0"},']],
  ])("are compared in %s", (path, before, after) => {
    const version = (text: string | null | undefined) => text?.replace(/^[^\d]+/, "");
    const found = changedDependencies([{ path, ...hunk(before, after) }]);
    expect(found.map(({ name, from, to }) => [name, version(from), version(to)])).toEqual([["pg", "1.0.0", "2.0.0"]]);
  });

  it("are those of the lock file where the manifest changed, too", () => {
    const manifest = { path: "package.json", ...hunk(['  "pg": "^8.0.0"'], ['  "pg": "^9.0.0"']) };
    const locked = "https://registry.example.com/pg/-/pg";
    const lock = {
      path: "package-lock.json",
      ...hunk([`  "resolved": "${locked}-8.1.0.tgz",`], [`  "resolved": "${locked}-9.2.0.tgz",`]),
    };
    expect(changedDependencies([manifest, lock])).toMatchObject([{ name: "pg", from: "8.1.0", to: "9.2.0" }]);
  });

  it.each([
    ["package.json", '    "pg": "^8.11.0",', '    "pg": "^9.0.0",', "^8.11.0", "^9.0.0"],
    [
      "package-lock.json",
      '      "resolved": "https://registry.example.com/pg/-/pg-8.11.0.tgz",',
      '      "resolved": "https://registry.example.com/pg/-/pg-9.0.0.tgz",',
      ...["8.11.0", "9.0.0"],
    ],
    ["pnpm-lock.yaml", "  pg@8.11.0:", "  pg@9.0.0:", "8.11.0", "9.0.0"],
    ["requirements.txt", "pg==8.11.0", "pg==9.0.0", "8.11.0", "9.0.0"],
    ["Gemfile.lock", "    pg (8.11.0)", "    pg (9.0.0)", "8.11.0", "9.0.0"],
  ])("are compared by version in %s", (path, before, after, from, to) => {
    expect(changedDependencies([{ path, ...hunk([before], [after]) }])).toMatchObject([{ name: "pg", from, to }]);
  });

  it("are added, or removed", () => {
    const path = "package.json";
    expect(changedDependencies([{ path, ...hunk([], ['    "pg": "9.0.0"']) }])).toMatchObject([
      { from: null, to: "9.0.0" },
    ]);
    expect(changedDependencies([{ path, ...hunk(['    "pg": "9.0.0"'], []) }])).toMatchObject([
      { from: "9.0.0", to: null },
    ]);
  });

  it("exclude the package's own version, and numbers in code", () => {
    expect(
      changedDependencies([{ path: "package.json", ...hunk(['  "version": "1.0.0",'], ['  "version": "2.0.0",']) }]),
    ).toEqual([]);
    expect(changedDependencies([{ path: "src/a.js", ...hunk(['"pg": "8.0.0"'], ['"pg": "9.0.0"']) }])).toEqual([]);
  });
});

describe("code", () => {
  it("is the same when only its spacing and comments differ", () => {
    expect(isSameCode(["  a(b); // now"], ["a( b );", "// later"])).toBe(true);
    expect(isSameCode(["a(b);"], ["a(c);"])).toBe(false);
  });
});
