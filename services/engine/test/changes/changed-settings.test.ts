import { describe, expect, it } from "vitest";
import { changedSettings } from "../../src/changes/changed-settings.ts";

const hunk = (removed: readonly string[], added: readonly string[]) => ({ hunk: { from: 3, removed, to: 4, added } });

describe("the settings that a release changed", () => {
  it.each([
    ["const url = process.env.PAYMENTS_URL;"],
    ['url = os.environ["PAYMENTS_URL"]'],
    ['url = os.getenv("PAYMENTS_URL")'],
    ['url := os.Getenv("PAYMENTS_URL")'],
    ['url = ENV.fetch("PAYMENTS_URL")'],
    ['String url = System.getenv("PAYMENTS_URL");'],
  ])("are the variables that it began to read: %s", (line) => {
    expect(changedSettings([hunk(["// url"], ["", line])])).toMatchObject([
      { name: "PAYMENTS_URL", change: "added", line: 5 },
    ]);
  });

  it("are the variables that it no longer reads", () => {
    expect(changedSettings([hunk(["port = env.PORT"], [])])).toMatchObject([
      { name: "PORT", change: "removed", line: 4 },
    ]);
  });

  it("leave out what moved to another place, and what only a comment names", () => {
    expect(changedSettings([hunk(["port = env.PORT"], []), hunk([], ["const port = Number(env.PORT);"])])).toEqual([]);
    expect(changedSettings([hunk([], ["// process.env.PORT is no longer read"])])).toEqual([]);
  });
});
