import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";
import { stepsOf, traced } from "../signals-in.ts";

describe("a field of an object that is made of its values in order", () => {
  it.each([
    ["show.rb", "Entry = Struct.new(:label, :row)\nentry = Entry.new('a',\n  nil)\nentry.row.id\n"],
    ["show.rb", "Entry = Data.define(:label, :row)\nentry = Entry.new(label: 'a',\n  row: nil)\nentry.row.id\n"],
    ["show.rb", "class Entry < Struct.new(:label, :row)\nend\nentry = Entry.new('a', nil)\nentry.row.id\n"],
    ["show.py", "Entry = namedtuple('Entry', 'label row')\n\nentry = Entry('a', None)\nentry.row.id\n"],
    ["show.py", "Entry = namedtuple('Entry', ['label', 'row'])\n\nentry = Entry('a', row=None)\nentry.row.id\n"],
  ])("is the argument in its place: %s, %j", async (file, text) => {
    expect(await originOf({ [file]: text })).toEqual([`literal ${file}:3`]);
  });

  it.each([
    [
      "another class is made of the name",
      "Other = Struct.new(:label, :row)\nentry = Entry.new('a', nil)\nentry.row.id\n",
    ],
    [
      "other names are given",
      "Entry = Struct.new(:row, :label)\nentry = Entry.new(row_of(label), nil)\nentry.row.id\n",
    ],
  ])("isn't the argument in that place where %s", async (_, text) => {
    expect((await originOf({ "show.rb": text })).filter((end) => end.startsWith("literal"))).toEqual([]);
  });

  it("is the argument of the call that made it, not of another", async () => {
    const text = [
      "record Entry(String label, Row row) {}",
      "class Shop {",
      "  static Entry empty() { return new Entry(other, null); }",
      "  static void show() {",
      "    Entry entry = new Entry(",
      "      label,",
      "      rowOf(label));",
      "    entry.row().id();",
      "  }",
      "}",
    ].join("\n");
    const log = `Exception in thread "main" java.lang.NullPointerException: Cannot invoke "Row.id()" because the return value of "Entry.row()" is null\n\tat Shop.show(Shop.java:8)\n`;
    const steps = stepsOf((await traced(log, { "Shop.java": text })).signals);
    expect(steps).toContain("argument Shop.java:7");
    expect(steps).not.toContain("argument Shop.java:3");
    expect(steps).not.toContain("argument Shop.java:6");
  });

  it("is the element of a Go literal without names", async () => {
    const text = [
      "package main",
      "type entry struct {",
      "\tlabel, note string",
      "\trow *row",
      "}",
      "func show(labels []string) {",
      "\tone := entry{",
      "\t\tlabels[0],",
      '\t\t"",',
      "\t\tfind(labels[1])}",
      "\tprintln(one.row.id)",
      "}",
    ].join("\n");
    const log =
      "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.show(...)\n\t/srv/show.go:11 +0x1d\n";
    const steps = stepsOf((await traced(log, { "show.go": text })).signals);
    expect(steps).toContain("call show.go:10");
    expect(steps.filter((step) => step.endsWith(":8"))).toEqual([]);
  });
});
