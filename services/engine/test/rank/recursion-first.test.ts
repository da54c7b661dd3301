import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

async function placeIn(log: string) {
  const { report } = await investigated(textSubject(log));
  const { file, line } = report.root_cause.location ?? {};
  return `${file}:${line}`;
}

describe("an endless recursion without code", () => {
  it("is placed at the call that repeats, not at the one that overflowed", async () => {
    const call = "    at walk (/srv/app/route.js:16:12)\n";
    const log = `RangeError: Maximum call stack size exceeded\n    at label (/srv/app/stop.js:30:12)\n    at walk (/srv/app/route.js:14:20)\n`;
    expect(await placeIn(log + call.repeat(8))).toBe("/srv/app/route.js:16");
  });

  it("is placed in own code where a package calls back", async () => {
    const calls =
      "\tat com.acme.Route.walk(Route.java:16)\n\tat org.apache.commons.collections4.IterableUtils.forEach(IterableUtils.java:75)\n";
    const log = `java.lang.StackOverflowError\n\tat com.acme.Stop.label(Stop.java:8)\n${calls.repeat(4)}`;
    expect(await placeIn(log)).toBe("com/acme/Route.java:16");
  });

  it("changes nothing where no call repeats", async () => {
    const log = `RangeError: Maximum call stack size exceeded\n    at label (/srv/app/stop.js:30:12)\n    at walk (/srv/app/route.js:14:20)\n`;
    expect(await placeIn(log)).toBe("/srv/app/stop.js:30");
  });
});
