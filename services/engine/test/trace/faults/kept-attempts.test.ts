import { describe, expect, it } from "vitest";
import { ofKind, traced } from "../signals-in.ts";

const retry = `class Attempts {
  static <T> T of(int most, Callable<T> step) {
    for (int attempt = 1; ; attempt++) {
      try {
        return step.call();
      } catch (Exception e) {
        if (attempt == most) throw new IllegalStateException(e);
      }
    }
  }
}
`;
const sheet = `class Sheet {
  Map<String, Row> print(Draw draw) {
    List<Row> rows = Attempts.of(3, STEP);
    return rows.stream().collect(Collectors.toMap(Row::key, row -> row));
  }
}
`;

async function keptIn(body: string, step = "draw::collect", said = "Duplicate key n-2"): Promise<object[]> {
  const draw = `class Draw {\n  private final List<Row> drawn = new ArrayList<>();\n  List<Row> collect() throws Busy {\n    ${body}\n  }\n}\n`;
  const files = { "Attempts.java": retry, "Sheet.java": sheet.replace("STEP", step), "Draw.java": draw };
  const log = `Exception in thread "main" java.lang.IllegalStateException: ${said}\n\tat Sheet.print(Sheet.java:4)\n`;
  return ofKind((await traced(log, files)).signals, "repeated-write");
}

describe("what a failed attempt has added", () => {
  it.each([
    ["drawn.add(pen.first()); pen.close(); return drawn;", "drawn.add(pen.first())"],
    ["for (int gate : GATES) drawn.addAll(pen.at(gate)); return drawn;", "drawn.addAll(pen.at(gate))"],
  ])("is kept for the next one: %s", async (body, write) => {
    const args = expect.objectContaining({ write, isOnStack: false });
    expect(await keptIn(body)).toEqual([{ line: 4, args }]);
    expect(await keptIn(body, "() -> draw.collect()")).toEqual([{ line: 4, args }]);
  });

  it.each([
    [
      "it is added to a list of its own",
      "List<Row> rows = new ArrayList<>(); rows.add(pen.first()); pen.close(); return rows;",
    ],
    ["nothing comes after it", "Row row = pen.first(); drawn.add(row); return drawn;"],
    ["nothing is added", "pen.close(); return pen.all();"],
  ])("isn't suspected where %s", async (_, body) => {
    expect(await keptIn(body)).toEqual([]);
  });

  it("isn't suspected without a retry, or where the error is about something else", async () => {
    const body = "drawn.add(pen.first()); pen.close(); return drawn;";
    expect(await keptIn(body, "other::collectAll")).toEqual([]);
    expect(await keptIn(body, "draw::collect", "no row")).toEqual([]);
  });
});
