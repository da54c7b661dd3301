import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const code = `package pages

func Window(rows []string, from, until int) []string {
	kept := rows[from:until]
	return kept
}
`;

async function wordsFor(bounds: string): Promise<string> {
  const log = `panic: runtime error: slice bounds out of range ${bounds}

goroutine 1 [running]:
example.com/pages.Window(...)
	/srv/pages/window.go:4 +0x1c
main.main()
	/srv/main.go:8 +0x3a
`;
  const { report } = await investigated(textSubject(log, { "pages/window.go": code }));
  return JSON.stringify([report.root_cause_summary, report.candidates, report.predictions, report.detailed_analysis]);
}

describe("the words for bounds that are out of range", () => {
  it.each(["[7:2]", "[7:2:]"])("say of %s that the start is after the end", async (bounds) => {
    const words = await wordsFor(bounds);
    expect(words).toContain("slices `rows` with a start that is after the end");
    expect(words).toContain("The slice would start at `7` and end before that, at `2`.");
    expect(words).not.toMatch(/past the end|often empty|shorter/);
  });

  it.each(["[:5] with length 3", "[:5] with capacity 3", "[9:] with length 3", "[:8:4]"])(
    "say of %s that the end is passed",
    async (bounds) => {
      const words = await wordsFor(bounds);
      expect(words).toContain("reads past the end of `rows`");
      expect(words).not.toContain("would start at");
    },
  );

  it.each(["[-1:]", "[:-1]"])("say of %s that the index is negative", async (bounds) => {
    expect(await wordsFor(bounds)).toContain("uses a negative index for `rows`");
  });
});
