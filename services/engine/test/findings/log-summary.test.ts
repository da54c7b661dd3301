import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const poolLog = [
  '{"level":30,"time":1772359200000,"name":"orders","msg":"config loaded","db":"pg-main:5432","poolSize":10}',
  '{"level":30,"time":1772359205000,"name":"orders","msg":"listening on 3000"}',
  '{"level":40,"time":1772362790000,"name":"orders","msg":"pool is exhausted, waiting for a connection","waiting":4}',
  '{"level":40,"time":1772362795000,"name":"orders","msg":"pool is exhausted, waiting for a connection","waiting":9}',
  '{"level":40,"time":1772362799000,"name":"orders","msg":"pool is exhausted, waiting for a connection","waiting":17}',
  '{"level":50,"time":1772362800000,"name":"orders","err":{"type":"Error","message":"timeout exceeded when trying to connect","stack":"Error: timeout exceeded when trying to connect\\n    at async loadOrder (/app/src/repository.js:12:18)"},"msg":"request failed"}',
].join("\n");

describe("a report on a log", () => {
  it("says what was configured and what was warned about before the error, how often and since when", async () => {
    const { report } = await investigated(textSubject(poolLog));
    expect(report.detailed_analysis).toMatch(/`config loaded` \(`db=pg-main:5432`, `poolSize=10`\)/);
    expect(report.detailed_analysis).toMatch(
      /Warn: `pool is exhausted, waiting for a connection`, 3 times from 2026-03-01T10:59:50\.000Z to 2026-03-01T10:59:59\.000Z, starting 10 s before the error; `waiting` rose from 4 to 17\. \[e\d+\]/,
    );
  });

  it("puts the log's lines on the timeline, and the error at the time at which it was logged", async () => {
    const { report } = await investigated(textSubject(poolLog));
    expect(report.timeline.map(({ at }) => at)).toEqual([
      "2026-03-01T10:00:00.000Z",
      "2026-03-01T10:59:50.000Z",
      "2026-03-01T11:00:00.000Z",
    ]);
    expect(report.impact).toMatchObject({ first_seen: "2026-03-01T11:00:00.000Z", events: 1 });
  });

  it("says how often the failure occurs in it", async () => {
    const lines = [19, 22, 27].map((second) => `2026-03-01T02:41:${second}.000Z ERROR GET /products failed with 504`);
    const { report } = await investigated(textSubject(lines.join("\n")));
    expect(report.root_cause.category).toBe("timeout");
    expect(report.impact).toMatchObject({
      events: 3,
      first_seen: "2026-03-01T02:41:19.000Z",
      last_seen: "2026-03-01T02:41:27.000Z",
    });
  });

  it("says why it chose one of several errors", async () => {
    const log = "Warning: x\n    at a (/srv/a.js:1:1)\nError: y\n    at b (/srv/b.js:1:1)\n";
    const { report } = await investigated(textSubject(log));
    expect(report.detailed_analysis).toMatch(
      /The text has 1 more error\. This one was chosen because it is the first with a stack/,
    );
  });
});
