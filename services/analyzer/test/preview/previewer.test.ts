import { afterAll, describe, expect, it } from "vitest";
import { openPreviewer } from "../../src/preview/previewer.ts";

const execArgv = ["--conditions=@whence/source"];
const previewer = openPreviewer({ execArgv });
afterAll(() => previewer.close());

describe("the previewer", () => {
  it("reads one text after the other, each for whoever asked", async () => {
    const asked = ["RangeError: a\n    at a (a.js:1:1)", "words"].map((text) => previewer.preview({ error_log: text }));
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(["error", "text"]);
  });

  it("gives up on a text that takes too long, and reads the next in another thread", async () => {
    const impatient = openPreviewer({ execArgv, deadlineMs: 1 });
    await expect(impatient.preview({ error_log: "E" })).rejects.toMatchObject({
      ...{ code: "WHENCE_ERR_PREVIEW_UNAVAILABLE", status: 503 },
    });
    await expect(impatient.preview({ error_log: "E" })).rejects.toMatchObject({ status: 503 });
    await impatient.close();
    expect(await previewer.preview({ error_log: "E" })).toMatchObject({ headline: "E" });
  });

  it("lets 16 texts wait, and refuses one more at once", async () => {
    const asked = Array.from({ length: 17 }, () => previewer.preview({ error_log: "E" }));
    const outcomes = (await Promise.allSettled(asked)).map(({ status }) => status);
    expect(outcomes.filter((status) => status === "fulfilled")).toHaveLength(16);
    expect(outcomes.at(-1)).toBe("rejected");
  });
});
