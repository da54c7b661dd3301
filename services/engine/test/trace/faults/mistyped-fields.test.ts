import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/parse/parse.ts";
import { SourceText } from "../../../src/source/source-text.ts";
import { traceError } from "../../../src/trace/trace-error.ts";
import { ofKind } from "../signals-in.ts";

const log = `Traceback (most recent call last):
  File "/srv/cart.py", line 4, in total
    return cart.item.price * rate
TypeError: unsupported operand type(s) for *: 'float' and 'decimal.Decimal'
`;
const cart = "from item import Item\n\ndef total(cart, rate):\n    return cart.item.price * rate\n";

/** What fills a field that has another value than its class declares, when the client copied `item`. */
async function mistypedIn(item: object, load: string, declared = "price: Decimal"): Promise<object[]> {
  const files = {
    "cart.py": cart,
    "item.py": `@dataclass\nclass Item:\n    name: str\n    ${declared}\n`,
    "load.py": `from item import Item\n\ndef load(row):\n    ${load}\n`,
  };
  const error = parseText(log);
  const variables = { cart: { "<type>": "Cart", item: { "<type>": "Item", ...item } }, rate: "0.19" };
  const exceptions = error.exceptions.map((one) => ({
    ...one,
    frames: one.frames.map((frame) => ({ ...frame, variables })),
  }));
  const sources = Object.entries(files).map(([name, text]) => new SourceText("source_file", name, text));
  const { signals } = await traceError({ ...error, exceptions }, null, sources);
  return ofKind(signals, "mistyped-field");
}

describe("a field with a value of another type than its class declares", () => {
  const found = (code: string) => [
    { line: 4, args: { field: "Item.price", declared: "Decimal", was: "a number", code } },
  ];

  it.each([
    ["by its name", "return Item(name=row['name'], price=row['price'])", "row['price']"],
    ["by its position", "return Item(row['name'], row['price'])", "row['price']"],
    ["by a conversion to another type", "return Item(row['name'], float(row['price']))", "float(row['price'])"],
  ])("is filled %s", async (_, load, code) => {
    expect(await mistypedIn({ name: "Tea", price: 2.5 }, load)).toEqual(found(code));
  });

  it("is a text where it is declared as a number", async () => {
    const mistyped = await mistypedIn(
      { name: "Tea", price: "2.50" },
      "return Item(row['name'], row['price'])",
      "price: float = 0.0",
    );
    expect(mistyped).toEqual([
      { line: 4, args: { field: "Item.price", declared: "float", was: "a text", code: "row['price']" } },
    ]);
  });

  it.each([
    ["the value fits", { price: "2.50" }, "return Item(row['name'], row['price'])", "price: Decimal"],
    [
      "it is converted where it is filled",
      { price: 2.5 },
      "return Item(row['name'], Decimal(row['price']))",
      "price: Decimal",
    ],
    ["several types are declared", { price: 2.5 }, "return Item(row['name'], row['price'])", "price: Decimal | float"],
    ["no type is declared", { price: 2.5 }, "return Item(row['name'], row['price'])", "price = None"],
    ["the client didn't copy it", { price: null }, "return Item(row['name'], row['price'])", "price: Decimal"],
    [
      "another field is of another type",
      { name: 3, price: "2.50" },
      "return Item(row['name'], row['price'])",
      "price: Decimal",
    ],
    [
      "several places fill it",
      { price: 2.5 },
      "return Item(row['name'], row['price']) or Item(row[0], row[1])",
      "price: Decimal",
    ],
  ])("isn't named where %s", async (_, item, load, declared) => {
    expect(await mistypedIn(item, load, declared)).toEqual([]);
  });
});
