import type { Exception } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { parseEvent } from "../../src/index.ts";
import { investigated } from "../investigated.ts";
import { eventSubject, exception, foreignFrame, reportedEvent } from "../reported-event.ts";

const traceback = [
  "Traceback (most recent call last):",
  '  File "/srv/shop/app.py", line 12, in <module>',
  "    place(order)",
  '  File "/usr/lib/python3.12/site-packages/flask/app.py", line 30, in run',
  "    return handler()",
  '  File "/srv/shop/orders.py", line 7, in place',
  "    return order.total",
  "AttributeError: 'NoneType' object has no attribute 'total'",
].join("\n");
const fromPython: Exception = {
  type: "AttributeError",
  message: "'NoneType' object has no attribute 'total'",
  stack: traceback,
};
const fromNode = exception("TypeError", "x is undefined", [
  { file: "/srv/shop/orders.js", line: 7, column: 3, function: "place" },
  foreignFrame("node:internal/process/task_queues", 95, "processTicksAndRejections"),
]);
const withoutFrames = ({ frames: _, ...printed }: Exception): Exception => printed;

function read(one: Exception, runtime: string | null) {
  const [parsed] = parseEvent(reportedEvent({ exceptions: [one] }), runtime).exceptions;
  return {
    language: parsed?.language,
    frames: parsed?.frames.map(({ function: name, file, line, origin }) => ({ name, file, line, origin })),
  };
}

const pythonCalls = [
  { name: "place", file: "/srv/shop/orders.py", line: 7, origin: "app" },
  { name: "run", file: "/usr/lib/python3.12/site-packages/flask/app.py", line: 30, origin: "dependency" },
  { name: null, file: "/srv/shop/app.py", line: 12, origin: "app" },
];
const nodeCalls = [
  { name: "place", file: "/srv/shop/orders.js", line: 7, origin: "app" },
  { name: "processTicksAndRejections", file: "node:internal/process/task_queues", line: 95, origin: "runtime" },
];

describe("the stack of an event", () => {
  it.each(["node", "bun", "deno"])("is read as V8 prints it from the runtime %s", (runtime) => {
    expect(read(withoutFrames(fromNode), runtime)).toEqual({ language: "javascript", frames: nodeCalls });
  });

  it.each(["python", "CPython", "pypy"])("is read as a traceback from the runtime %s", (runtime) => {
    expect(read(fromPython, runtime)).toEqual({ language: "python", frames: pythonCalls });
  });

  it.each(["something-new", null])("is recognized by its text from the runtime %s", (runtime) => {
    expect(read(fromPython, runtime)).toEqual({ language: "python", frames: pythonCalls });
    expect(read(withoutFrames(fromNode), runtime)).toEqual({ language: "javascript", frames: nodeCalls });
  });

  it("is that of the error, even when its cause is printed above", () => {
    const cause = traceback.replace("AttributeError: 'NoneType' object has no attribute 'total'", "KeyError: 'id'");
    const link = "\n\nThe above exception was the direct cause of the following exception:\n\n";
    const raised = 'Traceback (most recent call last):\n  File "/srv/shop/api.py", line 3, in answer\nshop.Failed: no';
    const read_ = read({ type: "Failed", message: "no", stack: `${cause}${link}${raised}` }, "python");
    expect(read_.frames).toEqual([{ name: "answer", file: "/srv/shop/api.py", line: 3, origin: "app" }]);
  });

  it("shows nothing when it is empty, and the language follows from the runtime", () => {
    expect(read({ ...fromPython, stack: "" }, "python")).toEqual({ language: "python", frames: [] });
    expect(read({ ...fromPython, stack: "" }, null)).toEqual({ language: null, frames: [] });
  });
});

describe("the frames of an event", () => {
  const frames = [
    { file: "/srv/shop/orders.py", line: 7, column: 12, function: "place" },
    { file: "/usr/lib/python3.12/asyncio/runners.py", line: 118, function: "run" },
    { file: "<string>", line: 1, function: "<module>" },
  ];

  it("are used as given, and attributed to the runtime or a package by the rules of their language", () => {
    expect(read({ ...fromPython, frames }, "python").frames).toEqual([
      pythonCalls[0],
      { name: "run", file: "/usr/lib/python3.12/asyncio/runners.py", line: 118, origin: "runtime" },
      { name: null, file: null, line: 1, origin: "app" },
    ]);
  });

  it("have their position in the printed stack, with columns or without", () => {
    const [parsed] = parseEvent(reportedEvent({ exceptions: [{ ...fromPython, frames }] }), "python").exceptions;
    const printed = parsed?.frames[0]?.printed;
    expect(printed && traceback.slice(printed.start, printed.end).trim()).toBe(
      'File "/srv/shop/orders.py", line 7, in place',
    );
  });

  it("show the language when neither the runtime nor a stack does", () => {
    expect(read({ ...fromPython, stack: "", frames }, null).language).toBe("python");
  });
});

it("members of an exception group are aggregated, in Python as in JavaScript", () => {
  for (const type of ["AggregateError", "ExceptionGroup"]) {
    const group = { type, message: "two", stack: "" };
    const event = reportedEvent({ exceptions: [group, { ...fromPython, parent: 0 }] });
    expect(parseEvent(event, "python").exceptions[1]).toMatchObject({ parent: 0, relation: "aggregated" });
  }
});

// Nothing about its path says whose it is.
const helper = { ...foreignFrame("/srv/orders/shared/prices.js", 40, "total"), column: 7 };
const own = { ...foreignFrame("/srv/orders/app.js", 12, "checkout"), in_app: true };

it.each([
  ["starts at it when its client says that it's the program's own", true, "/srv/orders/shared/prices.js"],
  ["starts at its caller when its client says that it isn't", false, "/srv/orders/app.js"],
])("the report on a call without source %s", async (_, isOwn, file) => {
  const thrown = exception("Error", "no price", [{ ...helper, in_app: isOwn }, own]);
  const { report } = await investigated(eventSubject(reportedEvent({ exceptions: [thrown] })));
  expect(report.root_cause.location?.file).toBe(file);
});
