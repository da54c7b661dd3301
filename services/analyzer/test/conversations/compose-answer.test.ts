import type { MessageDocument } from "@whence/vendors";
import { describe, expect, it } from "vitest";
import {
  acknowledgment,
  answerOf,
  existingAnalysis,
  failureOf,
  underWay,
} from "../../src/conversations/compose-answer.ts";
import { fixtureIncident } from "./fixture-reports.ts";

const url = "https://whence.example.com/incidents/inc_1";
const sure = fixtureIncident("dry-pool");
const unsure = fixtureIncident("batch-answered-in-row-order");
const { report: _, ...unreported } = sure;

function paragraphOf({ parts }: MessageDocument, label: string | null): string | undefined {
  return parts.flatMap((part) => (part.kind === "paragraph" && part.label === label ? [part.text] : []))[0];
}

function stepsOf({ parts }: MessageDocument, label: string): readonly string[] {
  return parts.flatMap((part) => (part.kind === "steps" && part.label === label ? part.steps : []));
}

describe("an acknowledgment", () => {
  it("says what is being investigated, without a link", () => {
    expect(acknowledgment("PoolTimeoutError: timed out")).toEqual({
      purpose: "acknowledgment",
      headline: 'Looking for the root cause of "PoolTimeoutError: timed out".',
      parts: [{ kind: "paragraph", label: null, text: "The answer will be posted here." }],
      link: null,
    });
    expect(acknowledgment(null).headline).toBe("Looking for the root cause.");
  });

  it("is one line, whatever the title contains", () => {
    expect(acknowledgment(`a\nb\u202e${"c".repeat(1_000)}`).headline).toMatch(/^[^\n\u202e]{1,300}$/);
  });

  it("says that the investigation is already running", () => {
    expect(underWay(url)).toMatchObject({ purpose: "acknowledgment", link: { url } });
  });
});

describe("an answer", () => {
  const answer = answerOf(sure, url);

  it("begins with the cause, and ends with the report", () => {
    expect(answer.purpose).toBe("answer");
    expect(answer.headline).toBe(
      "reserve (stock.ts:5) can exit at line 7 without releasing the result of pool.acquire, so ConnectionPool.acquire (connection-pool.ts:24) throws PoolTimeoutError. 195 failures since 2026-11-23 13:48:53 UTC.",
    );
    expect(answer.link).toEqual({ text: "Open the incident", url });
  });

  it("shows the error, and each step from the origin to the symptom with its service and release", () => {
    expect(paragraphOf(answer, "Error")).toBe(sure.title);
    expect(stepsOf(answer, "How it happened")).toEqual([
      "reserve (stock.ts:5) can exit at line 7 without releasing the result of pool.acquire (orders 1.4.0)",
      "ConnectionPool.acquire (connection-pool.ts:24) throws PoolTimeoutError: timed out after 1000 ms waiting for a connection: 4 of 4 in use when connection === undefined (orders 1.4.0)",
    ]);
  });

  it("says how confident it is, what to do first, and since when it fails", () => {
    expect(paragraphOf(answer, "Confidence")).toBe("Whence is fairly sure: 64% likely to be the right file.");
    expect(paragraphOf(answer, "Fix now")).toContain("Restart the service to free what it holds now");
    expect(answer.parts.at(-1)).toEqual({
      kind: "facts",
      facts: ["orders", "PROD", "since 2026-11-23 13:48:53 UTC", "211 events"],
    });
  });

  it("names the other candidates only when it isn't confident", () => {
    expect(stepsOf(answer, "Other candidates")).toEqual([]);
    const doubtful = answerOf(unsure, url);
    expect(paragraphOf(doubtful, "Confidence")).toMatch(/^Whence doesn't know the cause: 18% likely/);
    expect(stepsOf(doubtful, "Other candidates")).toEqual([
      "Feed.#item (src/feed/feed.ts:30) passes document on. (15%)",
      'src/db/database.ts:4 sets tenant to "acme". (13%)',
      "src/loaders/document-loader.ts isn't on the stack, but may hold the cause. (12%)",
    ]);
  });

  it("keeps the first steps and the last one of a long chain", () => {
    const { report } = sure;
    if (!report) throw new Error("the fixture has a report");
    const chain = Array.from({ length: 30 }, (__, index) => ({ what: `step ${index + 1}`, evidence_ids: ["e1"] }));
    const shown = stepsOf(answerOf({ ...sure, report: { ...report, chain } }, url), "How it happened");
    expect(shown).toHaveLength(8);
    expect(shown.slice(5)).toEqual(["Step 6", "(23 steps are in the report)", "Step 30"]);
  });
});

describe("a failed investigation", () => {
  it("is reported with its reason", () => {
    const failure = { code: "WHENCE_ERR_INVESTIGATION_TIMEOUT", message: "no report after 10 s" };
    const message = failureOf({ ...unreported, status: "failed", failure }, url);
    expect(message).toMatchObject({ purpose: "failure", headline: `Investigation failed: ${sure.title}` });
    expect(paragraphOf(message, "The investigation failed")).toBe("no report after 10 s");
    expect(answerOf({ ...unreported, status: "failed", failure }, url)).toEqual(message);
  });
});

describe("a repeated request", () => {
  it("gets the earlier result", () => {
    const message = existingAnalysis(sure, url);
    expect(message.headline).toMatch(/^Already analyzed: reserve \(stock\.ts:5\)/);
    expect(paragraphOf(message, "Fix now")).toBeDefined();
    expect(message.link).toEqual({ text: "Open the incident", url });
  });

  it("gets that the investigation is running, or that it failed", () => {
    for (const status of ["queued", "investigating"] as const) {
      expect(existingAnalysis({ ...unreported, status }, url)).toEqual(underWay(url));
      expect(answerOf({ ...unreported, status }, url)).toEqual(underWay(url));
    }
    expect(existingAnalysis({ ...unreported, status: "failed" }, url).purpose).toBe("failure");
  });
});
