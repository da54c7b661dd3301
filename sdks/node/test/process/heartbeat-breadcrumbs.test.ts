import { describe, expect, it } from "vitest";
import { HeartbeatBreadcrumbs } from "../../src/process/heartbeat-breadcrumbs.ts";
import * as sdkLimits from "../../src/sdk-limits.ts";

describe("the last breadcrumbs of a process", () => {
  const { heartbeatBreadcrumbsMax: most, heartbeatTextCharactersMax: longest } = sdkLimits;
  const crumb = (message: string) => ({ timestamp: 0, category: "step", message, settled: true });
  const kept = (messages: readonly string[]) => {
    const recent = new HeartbeatBreadcrumbs();
    for (const message of messages) recent.add(crumb(message));
    return recent.take().breadcrumbs.map(({ message }) => message);
  };
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index));

  it("are the newest 20", () => {
    expect(kept(numbered(most))).toEqual(numbered(most));
    expect(kept(numbered(most + 1))).toEqual(numbered(most + 1).slice(1));
    expect(kept(numbered(2 * most + 3))).toEqual(numbered(2 * most + 3).slice(-most));
  });

  it("are cut to 512 characters per text, and the newest push out the oldest", () => {
    expect(kept(["x".repeat(longest)])).toEqual(["x".repeat(longest)]);
    expect(kept(["x".repeat(longest + 1)])[0]).toMatch(/^x+… \[trimmed \d+ characters\]$/);
    const long = kept(numbered(most).map((text) => text.padEnd(longest, "x")));
    expect(long.length).toBeGreaterThan(10);
    expect(long.length).toBeLessThan(most);
    expect(long.at(-1)).toMatch(/^19x/);
  });

  it("include the newest one, however large it is", () => {
    const recent = new HeartbeatBreadcrumbs();
    const data = Object.fromEntries(numbered(50).map((name) => [name, "x".repeat(longest)]));
    recent.add({ ...crumb("old"), data });
    recent.add({ ...crumb("new"), data });
    expect(recent.take().breadcrumbs.map(({ message }) => message)).toEqual(["new"]);
  });
});
