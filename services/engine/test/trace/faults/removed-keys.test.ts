import { describe, expect, it } from "vitest";
import { ofKind, signalsIn, traced, undefinedRead } from "../signals-in.ts";

const shelf = (given = "self._kept[number]") =>
  `class Shelf:\n    def __init__(self):\n        self._kept = {}\n\n    def book(self, number):\n        if number not in self._kept:\n            self._kept[number] = load(number)\n        return ${given}\n`;

/** What removes the `price` that `bill` doesn't find in a book of the shelf. */
async function removalsIn(show: string, given?: string): Promise<object[]> {
  const bill =
    "from shelf import Shelf\n\ndef bill(shelf: Shelf, number):\n    book = shelf.book(number)\n    return book['price'] * 2\n";
  const log = `Traceback (most recent call last):\n  File "/srv/bill.py", line 5, in bill\n    return book['price'] * 2\nKeyError: 'price'\n`;
  const { signals } = await traced(log, {
    "bill.py": bill,
    "shelf.py": shelf(given),
    "show.py": `from shelf import Shelf\n\n${show}\n`,
  });
  return ofKind(signals, "removed-key");
}

const shown = (change: string) =>
  `def page(shelf: Shelf, number):\n    book = shelf.book(number)\n    ${change}\n    return book`;
const emptied = "self._kept[number]\n\n    def drop(self):\n        self._kept.pop('price')";
const found = (line: number, code: string) => [{ line, args: { key: "price", code } }];

describe("a key that Python code removes from an object that is kept", () => {
  it.each([
    ["by `pop`", "book.pop('price', None)", 5, "book.pop('price', None)"],
    ["by `del`", "del book['price']", 5, "del book['price']"],
    ["with others", "for key in ('cost', 'price'):\n        del book[key]", 6, "del book[key]"],
  ])("is missing for all who get the object: %s", async (_, change, line, code) => {
    expect(await removalsIn(shown(change))).toEqual(found(line, code));
  });

  it("is missing where another function removes it by a constant list of keys", async () => {
    const show =
      "HIDDEN = ['cost', 'price']\n\ndef page(shelf: Shelf, number):\n    return public(shelf.book(number))\n\ndef public(book):\n    for key in HIDDEN:\n        book.pop(key, None)\n    return book";
    expect(await removalsIn(show)).toEqual(found(10, "book.pop(key, None)"));
  });

  it.each([
    ["another key is removed", shown("book.pop('cost')"), undefined],
    [
      "it is removed from a copy",
      shown("book = dict(book)\n    book.pop('price')").replace("book = shelf.book(number)\n    ", ""),
      undefined,
    ],
    ["it is removed from a copy of the same name", shown("book = dict(book)\n    book.pop('price')"), undefined],
    ["it is set again afterwards", shown("price = book.pop('price')\n    book['price'] = price + 1"), undefined],
    ["it is removed from what keeps the books", shown("pass"), emptied],
    [
      "it is removed from another object",
      "def page(numbers):\n    book = load(numbers)\n    book.pop('price')",
      undefined,
    ],
    ["copies are handed out", shown("book.pop('price')"), "dict(self._kept[number])"],
    ["others are handed out", shown("book.pop('price')"), "{**self._kept[number]}"],
  ])("stays where it is where %s", async (_, show, given) => {
    expect(await removalsIn(show, given)).toEqual([]);
  });
});

describe("a field that JavaScript code removes from an object that is kept", () => {
  const removalsOf = async (change: string, given = "kept.get(number)"): Promise<object[]> => {
    const files = {
      "shelf.js": `const kept = new Map();\nexport function bookOf(number) {\n  if (!kept.has(number)) kept.set(number, load(number));\n  return ${given};\n}\n`,
      "bill.js":
        'import { bookOf } from "./shelf.js";\nexport function bill(number) {\n  const book = bookOf(number);\n  return book.price.amount * 2;\n}\n',
      "show.js": `import { bookOf } from "./shelf.js";\nexport function page(number) {\n  const book = bookOf(number);\n  ${change}\n  return book;\n}\n`,
    };
    return ofKind(await signalsIn(files, undefinedRead("amount"), "bill (/srv/bill.js:4:21)"), "removed-key");
  };

  it.each(["delete book.price", 'delete book["price"]'])(
    "is missing for all who get the object: %s",
    async (change) => {
      expect(await removalsOf(`${change};`)).toEqual(found(4, change));
    },
  );

  it("is missing where a loop over a list of fields removes it", async () => {
    expect(await removalsOf('for (const key of ["cost", "price"]) delete book[key];')).toEqual(
      found(4, "delete book[key]"),
    );
    expect(await removalsOf('["cost", "price"].forEach((key) => delete book[key]);')).toEqual(
      found(4, "delete book[key]"),
    );
  });

  it.each(["{ ...kept.get(number) }", "structuredClone(kept.get(number))"])(
    "stays where copies are handed out: %s",
    async (given) => {
      expect(await removalsOf("delete book.price;", given)).toEqual([]);
    },
  );
});
