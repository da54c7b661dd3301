import { describe, expect, it } from "vitest";
import { originOf } from "../failing.ts";

const originIn = (...lines: readonly string[]): Promise<string[]> =>
  originOf({ "shop/show.go": ["package shop", "", ...lines, ""].join("\n") });

describe("a value that an expression gives with whether there was one", () => {
  it("is what a table has under the key", async () => {
    const table = 'var rows = map[string]*Row{"a": nil}';
    const read = ["func show(key string) {", "\trow, ok := rows[key]", "\tprintln(row.id, ok)", "}"];
    expect(await originIn(table, "", ...read)).toContain("literal shop/show.go:3");
  });

  it("is what has another type", async () => {
    const read = ["func show() {", "\trow, _ := none().(*Row)", "\tprintln(row.id)", "}"];
    const none = ["func none() any {", "\treturn nil", "}"];
    expect(await originIn(...read, "", ...none)).toEqual(["returns-nothing shop/show.go:9"]);
  });

  it("is assigned to a variable that was declared before", async () => {
    const table = 'var rows = map[string]*Row{"a": nil}';
    const read = ["func show(key string) {", "\tvar ok bool", "\tvar row *Row"];
    const rest = ["\trow, ok = rows[key]", "\tprintln(row.id, ok)", "}"];
    expect(await originIn(table, "", ...read, ...rest)).toContain("literal shop/show.go:3");
  });

  it("isn't missing where the table has it", async () => {
    const table = 'var rows = map[string]*Row{"a": {id: 1}}';
    const read = ["func show(key string) {", "\trow, ok := rows[key]", "\tprintln(row.id, ok)", "}"];
    expect((await originIn(table, "", ...read)).join()).not.toMatch(/literal|missing-key/);
  });
});

describe("two results of a call", () => {
  it("stay apart, by their positions", async () => {
    const load = ["func load() (*Row, error) {", "\treturn nil, nil", "}"];
    const read = ["func show() {", "\trow, err := load()", "\tprintln(row.id, err)", "}"];
    expect(await originIn(...load, "", ...read)).toEqual(["returns-nothing shop/show.go:4"]);
  });
});
