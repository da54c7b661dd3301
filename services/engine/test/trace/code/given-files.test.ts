import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../src/index.ts";
import { SourceText } from "../../../src/source/source-text.ts";
import { traceError } from "../../../src/trace/trace-error.ts";
import { exception, reportedEvent } from "../../reported-event.ts";
import { traced } from "../signals-in.ts";

const log = `Traceback (most recent call last):
  File "report.py", line 1, in <module>
    dumps(table)
  File "/usr/lib/python3.12/ledger/tables.py", line 2, in dumps
    return table.rows
AttributeError: boom
`;
const text = "def dumps(table):\n    return table.rows\n";

describe("a call of the runtime", () => {
  it("is one of a package when the runtime's file was given", async () => {
    const { frames } = await traced(log, { "Lib/ledger/tables.py": text });
    expect(frames.map(({ file, frame }) => [file, frame.origin])).toContainEqual([
      "Lib/ledger/tables.py",
      "dependency",
    ]);
  });

  it("stays the runtime's when a client only copied the lines around it", async () => {
    const file = "node:internal/ledger/tables";
    const context = { start_line: 1, lines: text.split("\n") };
    const frame = { file, line: 2, column: 5, function: "dumps", in_app: false, context };
    const error = parseEvent(reportedEvent({ exceptions: [exception("AttributeError", "boom", [frame])] }));
    const { frames } = await traceError(error, null, []);
    expect(frames.map(({ frame: { origin } }) => origin)).toEqual(["runtime"]);
  });
});

describe("the lines around a frame", () => {
  const frame = {
    ...{ file: "/srv/ledger/src/tables.py", line: 2, column: 5, function: "dumps", in_app: true },
    context: { start_line: 1, lines: text.trimEnd().split("\n") },
  };
  const error = parseEvent(reportedEvent({ exceptions: [exception("AttributeError", "boom", [frame])] }));
  const placedIn = async (given: string): Promise<(string | undefined)[]> => {
    const { frames } = await traceError(error, null, [new SourceText("source_file", "src/tables.py", given)]);
    return frames.map(({ place }) => place?.source.name);
  };

  it("are part of the file that was given under a shorter path", async () => {
    expect(await placedIn(text)).toEqual(["src/tables.py"]);
  });

  it("are what ran where the given file has other lines", async () => {
    expect(await placedIn(text.replace("rows", "lines"))).toEqual(["/srv/ledger/src/tables.py"]);
  });
});
