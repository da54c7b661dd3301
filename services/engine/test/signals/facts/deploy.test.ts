import { describe, expect, it } from "vitest";
import { matchSignatures } from "../../../src/match/match.ts";
import { parseText } from "../../../src/parse/parse.ts";
import { factProblems } from "../../../src/report/truth.ts";
import { type Case, deploy, ownDeploy, reported } from "../../report/written-reports.ts";
import { changedCase, changeOf, nearDeploy, unchangedCase, unexplainedCase } from "./changed-cases.ts";

const renamed = { kind: "name", name: "amount", change: "renamed", renamedTo: "total" } as const;
const ofTheChange = {
  ...{ id: "1a2b3c4d5e6f", author: "Ada", subject: "rename", at: "2026-03-01T09:00:00.000Z", of: "change" as const },
};

const long = { minutes: 40, isLong: true };
const briefly = { minutes: 2, isLong: false };
const line = { kind: "line", file: "/srv/orders/src/money.ts", line: 2 } as const;

function rollbacksOf(of: Case): object[] {
  return reported(of).short_term_solutions.flatMap(({ rolls_back: back }) => back ?? []);
}

describe("a report on a release that changed something", () => {
  it("begins with the change, its place in the other service, its commit, and when it went live", () => {
    const {
      chain,
      root_cause_summary: headline,
      root_cause: cause,
    } = reported(changedCase(deploy, renamed, ofTheChange));
    expect(chain[0]).toMatchObject({
      what: "`payments` 2.0.0 renamed `amount` to `total` in `src/body.ts:13` (commit `1a2b3c4` by `Ada`), and was first seen 26 s before the first failure",
      ...{ service: "payments", release: "2.0.0", location: { file: "src/body.ts", line: 13 } },
    });
    expect(headline).toContain("`payments` 2.0.0 renamed `amount` to `total` in `src/body.ts:13`");
    expect(cause.location).toEqual({ file: "src/body.ts", line: 13, function: null });
  });

  it("says only that a release was built from the commit, when that is all that is known", () => {
    const { chain } = reported(changedCase(deploy, renamed));
    expect(chain[0]?.what).toContain("(built from commit `1a2b3c4` by `Ada 47`)");
  });

  it("names only the change when no commit is known", () => {
    const { chain } = reported(changedCase(deploy, renamed, null));
    expect(chain[0]?.what).toContain("in `src/body.ts:13`, and was first seen");
  });

  it("names the only file that another service's release changed, and doesn't begin with it", () => {
    const {
      chain,
      root_cause_summary: headline,
      root_cause: cause,
    } = reported(unexplainedCase({ files: 1, isWhole: true }));
    expect(chain[0]?.what).toContain("`payments` 2.0.0 changed only `src/body.ts:13`");
    expect(cause.location).toEqual({ file: "src/body.ts", line: 13, function: null });
    expect(headline).not.toContain("body.ts");
  });

  it.each([
    ["other files changed", { files: 2, isWhole: true }],
    ["not every changed line was read", { files: 1, isWhole: false }],
  ])("names no file when nothing leads there and %s", (_, comparison) => {
    const { root_cause: cause } = reported(unexplainedCase(comparison));
    expect(cause.location).toBeNull();
    expect(cause.statement).not.toContain("changed");
  });

  it("recommends a rollback of a release that a comparison makes suspect", () => {
    const { short_term_solutions: now } = reported(changedCase(ownDeploy, line));
    expect(now[0]).toMatchObject({
      title: "Roll `orders` back to `1.4.1`",
      rolls_back: { service: "orders", to: "1.4.1" },
    });
  });

  it("recommends it of one that changed the failing code, where the failure began with it", () => {
    const { short_term_solutions: now } = reported(changedCase({ ...nearDeploy(), previousRan: long }, line));
    expect(now[0]).toMatchObject({
      title: "Roll `orders` back to `1.4.1`, which likely stops it",
      detail:
        "`orders` 1.4.2 was first seen 26 s before the first failure: 5 failures in it, 0 in other releases. Processes of 1.4.1 ran for 40 min in total without it.",
      rolls_back: { service: "orders", to: "1.4.1", is_likely: true },
    });
  });

  it("says that it could be chance where the release before ran briefly", () => {
    const { short_term_solutions: now } = reported(changedCase({ ...nearDeploy(), previousRan: briefly }, line));
    expect(now[0]).toMatchObject({
      title: "Roll `orders` back to `1.4.1`, which likely stops it",
      detail: expect.stringMatching(
        /That could still be chance: processes of 1\.4\.1 ran for 2 min in total without it\./,
      ),
      rolls_back: { service: "orders", to: "1.4.1", is_likely: true },
    });
  });

  it.each([
    ["it isn't known how long the release before ran", changedCase(nearDeploy(), line)],
    ["it isn't known to have changed the failing code", unchangedCase({ ...nearDeploy(), previousRan: long })],
    ["there was no release before", changedCase({ ...nearDeploy(), previous: null, previousRan: long }, line)],
  ])("recommends no rollback where %s", (_, of) => {
    expect(rollbacksOf(of)).toEqual([]);
  });

  it.each([
    ["renamed", "amount", "renamed `orders.total` to `amount`"],
    ["dropped", null, "dropped `orders.total`"],
  ])("recommends no rollback past a migration that %s a column", (_, renamedTo, done) => {
    const schema = [{ path: "migrations/004.sql", name: "total", table: "orders", renamedTo }];
    for (const release of [ownDeploy, { ...nearDeploy(), previousRan: long }]) {
      const migrated = changedCase(release, line, undefined, schema);
      expect(rollbacksOf(migrated)).toEqual([]);
      expect(reported(migrated).short_term_solutions[0]).toMatchObject({
        title: "Fix `orders` 1.4.2 instead of rolling it back",
        detail: `\`migrations/004.sql\` ${done}, which 1.4.1 may still use.`,
      });
    }
  });

  it("recommends a rollback of a release that took away a name that the failing code needs, right before", () => {
    const effect = {
      kind: "name",
      name: "amount",
      change: "renamed",
      renamedTo: "total",
      isOfDatabase: false,
    } as const;
    const of = changedCase({ ...nearDeploy(), previousRan: briefly }, effect);
    expect(rollbacksOf(of)).toEqual([{ service: "orders", to: ownDeploy.previous }]);
    const [{ title, detail } = { title: "", detail: "" }] = reported(of).short_term_solutions;
    expect(`${title}: ${detail}`).not.toMatch(/likely|chance/);
  });
});

describe("a report on a column or table that a migration of the release changed", () => {
  const missing = [
    ["a column", 'column "amount" does not exist', "42703"],
    ["a table", 'relation "amount" does not exist', "42P01"],
    ["a column of SQLite", "SQLITE_ERROR: no such column: amount", null],
    ["a column of MySQL", "ER_BAD_FIELD_ERROR: Unknown column 'amount' in 'field list'", null],
  ] as const;
  const written = (change: "renamed" | "removed", message: string, code: string | null) => {
    const renamedTo = change === "renamed" ? "total" : null;
    const effect = { kind: "name", name: "amount", change, renamedTo, isOfDatabase: true } as const;
    const { findings, ...rest } = changedCase(ownDeploy, effect);
    const error = parseText(
      `error: ${message}\n    at find (/srv/orders/src/money.ts:2:9)${code === null ? "" : ` {\n  code: '${code}'\n}`}`,
    );
    const signatures = matchSignatures(error);
    expect(signatures).not.toEqual([]);
    return reported({ ...rest, findings: { ...findings, signatures } });
  };

  it.each(missing)("doesn't advise to run a migration, or to roll the code back: %s", (_, message, code) => {
    for (const change of ["renamed", "removed"] as const) {
      const { short_term_solutions: now, long_term_solutions: later, ...rest } = written(change, message, code);
      const titles = [...now, ...later].map(({ title, detail }) => `${title}: ${detail}`).join("\n");
      expect(titles).not.toMatch(/pending|[Rr]un (?:it|migrations)|^Roll `/m);
      expect(now.filter(({ rolls_back: release }) => release !== undefined)).toEqual([]);
      expect(`${rest.root_cause_summary}\n${rest.detailed_analysis}`).not.toMatch(/migration hasn't run/);
    }
  });

  it("advises to use the new name, or to restore what was dropped", () => {
    const [, message, code] = missing[0];
    expect(written("renamed", message, code).short_term_solutions[0]?.title).toBe(
      "Use `total` where `orders` still uses `amount`",
    );
    expect(written("removed", message, code).short_term_solutions[0]?.title).toBe(
      "Stop using `amount` in `orders`, or restore it",
    );
  });
});

describe("the truth of a change", () => {
  const { observation } = changeOf(deploy, renamed);
  const { fact, excerpt } = observation;

  it("requires its lines to be in its excerpt, which may be truncated", () => {
    expect(factProblems(fact, excerpt)).toEqual([]);
    expect(factProblems(fact, excerpt.slice(0, 40))).toEqual([]);
    expect(factProblems(fact, excerpt.replace("total", "sum"))).toEqual([
      "the lines of a change aren't in its excerpt",
    ]);
  });

  it.each([
    ["2 minutes after it was seen", "2026-03-01T10:01:34.000Z", 0],
    ["later", "2026-03-01T10:01:34.001Z", 1],
  ])("requires that no commit of a release was made %s", (_, at, problems) => {
    const { commit } = fact.change;
    const made = { ...fact, change: { ...fact.change, commit: commit && { ...commit, at } } };
    expect(factProblems(made, excerpt)).toHaveLength(problems);
  });
});
