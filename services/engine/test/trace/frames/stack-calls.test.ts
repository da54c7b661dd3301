import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../src/index.ts";
import { SourceText } from "../../../src/source/source-text.ts";
import { traceError } from "../../../src/trace/trace-error.ts";
import { exception, frameAt, reportedEvent } from "../../reported-event.ts";
import { ofKind, traced } from "../signals-in.ts";

const code = `def headline(bulletins, archive):
    shown = bulletins[0] if bulletins else archive[0]
    return shown.title
`;

function printed(line: string, carets: string): string {
  return `Traceback (most recent call last):
  File "/srv/board.py", line 2, in headline
    ${line.trim()}
    ${carets}
IndexError: list index out of range
`;
}

describe("the operation of a line that failed", () => {
  it("is the one that Python marks, in the whole file as well", async () => {
    const [, line = ""] = code.split("\n");
    const carets = `${" ".repeat(line.trim().indexOf("archive[0]"))}~~~~~~~^^^`;
    const { signals } = await traced(printed(line, carets), { "board.py": code });
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "archive", was: "too short" });
  });

  it("begins at the column that the Python client sends", async () => {
    const program = { "/srv/board.py": code };
    const frame = frameAt(program, "/srv/board.py", "archive[0]", "headline");
    const error = parseEvent(
      reportedEvent({ exceptions: [exception("IndexError", "list index out of range", [frame])] }),
    );
    const source = new SourceText("source_file", "/srv/board.py", code);
    const { signals } = await traceError(error, null, [source]);
    expect(ofKind(signals, "bad-value")[0]?.args).toMatchObject({ expression: "archive", was: "too short" });
  });
});
