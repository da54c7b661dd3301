import { limits, ValidationFailure } from "@whence/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { openAnalysisBodyReader, readAtOnceBytesMax } from "../../src/analysis/analysis-body-reader.ts";

const execArgv = ["--conditions=@whence/source"];
const reader = openAnalysisBodyReader({ execArgv });
afterAll(() => reader.close());

/** The JSON of an analysis, as many bytes long as told. */
function bodyOf(bytes: number): Uint8Array {
  const [begin, end] = ['{"error_log": "Error: boom\\n', '"}'];
  return Buffer.from(begin.padEnd(bytes - end.length, "x") + end);
}

describe("reading the body of an analysis", () => {
  it.each([
    ["at once", readAtOnceBytesMax],
    ["in a thread, which takes the bytes over", readAtOnceBytesMax + 1],
  ])("returns the same for a small and a large one: %s", async (_, bytes) => {
    const body = bodyOf(bytes);
    const { title, input } = await reader.read(body, "org_a");
    expect([title, input.files, body.length]).toEqual(["Error: boom", [], bytes > readAtOnceBytesMax ? 0 : bytes]);
    expect(input.bytes).toBe(input.errorLog.length);
  });

  it.each([
    ["at once", 100],
    ["in a thread", readAtOnceBytesMax + 1],
  ])("reports what is wrong with it: %s", async (_, bytes) => {
    const failureOf = (body: Uint8Array): Promise<unknown> =>
      reader.read(body, "org_a").catch((error: unknown) => error);
    const unfinished = bodyOf(bytes).slice(0, -1);
    const failures = [await failureOf(unfinished), await failureOf(Buffer.from('{"files": []}'.padEnd(bytes)))];
    expect(failures.map((failure) => failure instanceof ValidationFailure && failure.detail)).toMatchObject([
      [{ loc: ["body"], type: "json_invalid" }],
      [{ loc: ["body", "error_log"], type: "missing" }],
    ]);
  });

  it("takes scopes in turn, even when one has many bodies waiting", async () => {
    const read: string[] = [];
    const send = (scope: string) => reader.read(bodyOf(limits.errorLogBytesMax), scope).then(() => read.push(scope));
    await Promise.all([...Array.from({ length: 5 }, () => send("noisy")), send("quiet")]);
    expect(read.indexOf("quiet")).toBeLessThanOrEqual(2);
  });

  it("gives up on one that takes too long, and reads the next in another thread", async () => {
    const impatient = openAnalysisBodyReader({ execArgv, processorMs: 0 });
    const sent = () => impatient.read(bodyOf(readAtOnceBytesMax + 1), "org_a");
    await expect(sent()).rejects.toMatchObject({ code: "WHENCE_ERR_BODY_UNREAD", status: 503 });
    await expect(sent()).rejects.toMatchObject({ status: 503 });
    await impatient.close();
  });
});
