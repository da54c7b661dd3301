import { describe, expect, it } from "vitest";
import { failing } from "./failing.ts";
import { type Files, traced } from "./signals-in.ts";

async function writersIn(files: Files): Promise<string[]> {
  const { writers } = await traced(failing(files).log, files);
  return (writers?.places ?? []).map(({ file, line }) => `${file}:${line}`);
}

describe("the lines that assign to a missing field", () => {
  it.each([
    ["show.js", "class Page {\n  load(row) {\n    this.row = row;\n  }\n  show() {\n    return this.row.id;\n  }\n}\n"],
    [
      "show.py",
      "class Page:\n    def load(self, row):\n        self.row = row\n    def show(self):\n        return self.row.id\n",
    ],
    ["show.rb", "class Page\n  def load(row)\n    @row = row\n  end\n  def show\n    @row.id\n  end\nend\n"],
    [
      "show.rb",
      "class Page\n  def load(row)\n    @row = row\n  end\n  def show\n    row = @row\n    row.id\n  end\nend\n",
    ],
    [
      "show.java",
      "class Shop {\n  void load(Row one) {\n    row = one;\n  }\n  int show() {\n    return row.id;\n  }\n  private Row row;\n}\n",
    ],
    [
      "show.java",
      "class Shop {\n  void load(Row row) {\n    this.row = row;\n  }\n  int show() {\n    return row.id;\n  }\n  private Row row;\n}\n",
    ],
  ])("are listed, and no declaration is: %s, %j", async (file, text) => {
    expect(await writersIn({ [file]: text })).toEqual([`${file}:3`]);
  });

  it("are listed in a subclass in another file", async () => {
    const files = {
      "show.java": "class Shop {\n  protected Row row;\n  int show() {\n    return row.id;\n  }\n}\n",
      "Stall.java": "class Stall extends Shop {\n  void close() {\n    this.row = null;\n  }\n}\n",
    };
    expect(await writersIn(files)).toEqual(["Stall.java:3"]);
  });

  it("are listed behind a method that returns the field", async () => {
    const files = {
      "show.java": "class Show {\n  int show(Shop shop) {\n    Row row = shop.row();\n    return row.id;\n  }\n}\n",
      "Shop.java":
        "class Shop {\n  private Row row;\n  Row row() {\n    return row;\n  }\n  void close() {\n    row = null;\n  }\n}\n",
    };
    expect(await writersIn(files)).toEqual(["Shop.java:7"]);
  });

  it("aren't listed for what a method makes from the field", async () => {
    const files = {
      "show.java": "class Show {\n  int show(Shop shop) {\n    Row row = shop.row();\n    return row.id;\n  }\n}\n",
      "Shop.java":
        "class Shop {\n  private Table table;\n  Row row() {\n    return table.first();\n  }\n  void close() {\n    table = null;\n  }\n}\n",
    };
    expect(await writersIn(files)).toEqual([]);
  });

  it.each([
    [
      "show.java",
      "class Shop {\n  private Row row;\n  void load(Row one) {\n    row = one;\n  }\n  int show(Row row) {\n    return row.id;\n  }\n}\n",
    ],
    [
      "show.java",
      "class Shop {\n  private Row row;\n  void load(Row one) {\n    row = one;\n  }\n  int show() {\n    Row row = find();\n    return row.id;\n  }\n}\n",
    ],
    ["show.rb", "class Page\n  def load(row)\n    @row = row\n  end\n  def show(row)\n    row.id\n  end\nend\n"],
  ])("aren't listed for a variable of the same name: %s, %j", async (file, text) => {
    expect(await writersIn({ [file]: text })).toEqual([]);
  });
});
