import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const code = `package pages

func Window(rows []string, from, until int) []string {
	kept := rows[from:until]
	return kept
}
`;

async function wordsFor(bounds: string, slice = "rows[from:until]"): Promise<string> {
  const log = `panic: runtime error: slice bounds out of range ${bounds}

goroutine 1 [running]:
example.com/pages.Window(...)
	/srv/pages/window.go:4 +0x1c
main.main()
	/srv/main.go:8 +0x3a
`;
  const { report } = await investigated(
    textSubject(log, { "pages/window.go": code.replace("rows[from:until]", slice) }),
  );
  return JSON.stringify([report.root_cause_summary, report.candidates, report.predictions, report.detailed_analysis]);
}

describe("the words for bounds that are out of range", () => {
  it.each(["[7:2]", "[7:2:]"])("say of %s that the start is after the end", async (bounds) => {
    const words = await wordsFor(bounds);
    expect(words).toContain("slices `rows` with a start that is after the end");
    expect(words).toContain("The slice would start at `7`, after `2`");
    expect(words).not.toMatch(/past the end|often empty|shorter/);
  });

  it.each(["rows[from:]", "rows[from : ]", "other(rows[1:2], rows[from:])"])(
    "don't say of %s that its end is before its start",
    async (slice) => {
      const words = await wordsFor("[2:1]", slice);
      expect(words).toMatch(/starts a slice of `rows` after the end/);
      expect(words).toContain("or the length where the code gives no end");
      expect(words).not.toMatch(/start that is after the end|past the end|often empty/);
    },
  );

  it.each(["[:5] with length 3", "[:5] with capacity 3", "[9:] with length 3", "[::8] with capacity 3"])(
    "say of %s that the end is passed",
    async (bounds) => {
      const words = await wordsFor(bounds);
      expect(words).toContain("reads past the end of `rows`");
      expect(words).not.toContain("would start at");
    },
  );

  it("say of an end after the maximum that the code gives both", async () => {
    const words = await wordsFor("[:8:4]", "rows[from:until:4]");
    expect(words).toContain("slices `rows` with an end that is after the maximum");
    expect(words).toContain("The slice would end at `8`, after the maximum `4`");
    expect(words).not.toMatch(/past the end|often empty|shorter/);
  });

  it("name the slice whose start is in parentheses", async () => {
    const words = await wordsFor("[7:2]", "pick(rows[(from):until], cols[1])");
    expect(words).toContain("slices `rows` with a start that is after the end");
  });

  it.each(["[-1:]", "[:-1]", "[::-1]"])("say of %s that the index is negative", async (bounds) => {
    const words = await wordsFor(bounds);
    expect(words).toContain("uses a negative index for `rows`");
    expect(words).not.toMatch(/past the end|often empty|shorter/);
  });
});

describe("the words for a range of a Java string", () => {
  const failure = (
    range: string,
  ): string => `Exception in thread "main" java.lang.StringIndexOutOfBoundsException: ${range}
\tat java.base/java.lang.String.substring(String.java:2834)
\tat shop.Codes.head(Codes.java:5)
`;
  const codes = `package shop;

class Codes {
  static String head(String code, int from, int until) {
    return code.substring(from, until);
  }
}
`;
  const wordsOf = async (range: string): Promise<string> => {
    const { report } = await investigated(textSubject(failure(range), { "shop/Codes.java": codes }));
    return JSON.stringify(report);
  };

  it("say that a negative start is before the string, not that the bounds are reversed", async () => {
    const words = await wordsOf("begin -1, end 0, length 5");
    expect(words).toContain("The range starts at minus `1`, before the start of the string.");
    expect(words).not.toMatch(/is less than|more than the length|less than or equal to/);
  });

  it.each(["begin 4, end 2, length 5", "begin 0, end 9, length 5", "begin 0, end -1, length 5"])(
    "say of %s that the end is before the start or behind the length",
    async (range) => {
      const words = await wordsOf(range);
      expect(words).toMatch(/is less than `\d` or more than the length/);
      expect(words).not.toContain("the length is larger");
    },
  );
});

it("say of a negative index of a Java array that it is negative", async () => {
  const log = `Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index -1 out of bounds for length 5
\tat shop.Codes.last(Codes.java:5)
`;
  const files = {
    "shop/Codes.java": `package shop;

class Codes {
  static int last(int[] codes, int at) {
    return codes[at];
  }
}
`,
  };
  const words = JSON.stringify((await investigated(textSubject(log, files))).report);
  expect(words).toContain("uses a negative index for `codes`");
  expect(words).not.toMatch(/past the end|less than or equal to the index|length is larger/);
});
