import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../investigated.ts";

const files = {
  "shop/stores.py": `from collections import defaultdict

prices = {}
skus_of = defaultdict(list)
`,
  "shop/listing.py": `from shop.stores import prices, skus_of


def listing(shelf):
    return [prices[sku] for sku in skus_of.get(shelf, [])]
`,
  "shop/stock.py": `from shop.stores import prices, skus_of


def add(shelf, sku, price):
    prices[sku] = price
    skus_of[shelf].append(sku)
`,
};

const log = `Traceback (most recent call last):
  File "/srv/main.py", line 9, in handle
    return listing(query["shelf"])
  File "/srv/shop/listing.py", line 5, in listing
    return [prices[sku] for sku in skus_of.get(shelf, [])]
            ~~~~~~^^^^^
KeyError: 'W-7'
`;

describe("a table that code fills while it runs", () => {
  it("is said to start empty, not to leave out a key", async () => {
    const { report } = await investigated(textSubject(log, files));
    const words = JSON.stringify(report);
    expect(words).toContain("`shop/stores.py:3` starts with `{}`, so no value for `W-7` was added, or it was removed");
    expect(words).not.toMatch(/leaves out `W-7`|Provide `W-7`/);
  });

  it.each([
    ["nothing writes to it", "def add(shelf, sku, price):\n    skus_of[shelf].append(sku)\n"],
    [
      "another of the same name is written to",
      "def add(shelf, sku, price):\n    prices = {}\n    prices[sku] = price\n",
    ],
    [
      "it is only put into another",
      "from shop.stores import prices\n\n\ndef keep(tables, seen):\n    tables.append(prices)\n    seen.update(prices)\n",
    ],
    [
      "only a copy of it gets more",
      "from shop.stores import prices\n\n\ndef both(others):\n    return prices.merge(others)\n",
    ],
    [
      "one of another module is written to",
      "from old.stores import prices\n\n\ndef add(sku, price):\n    prices[sku] = price\n",
    ],
  ])("isn't said to be filled where %s", async (_, stock) => {
    const { report } = await investigated(textSubject(log, { ...files, "shop/stock.py": stock }));
    const words = JSON.stringify(report);
    expect(words).toContain("`shop/stores.py:3` leaves out `W-7`");
    expect(words).not.toMatch(/was added|other code fills it/);
  });

  it.each([
    [
      "in its own file",
      { "shop/stores.py": `${files["shop/stores.py"]}\n\ndef add(sku, price):\n    prices[sku] = price\n` },
    ],
    [
      "through its module",
      { "shop/stock.py": "import shop.stores as stores\n\n\ndef add(sku, price):\n    stores.prices[sku] = price\n" },
    ],
    [
      "many at once",
      { "shop/stock.py": "from shop.stores import prices\n\n\ndef add(rows):\n    prices.update(rows)\n" },
    ],
  ])("is filled where a write to it is found: %s", async (_, others) => {
    const { report } = await investigated(textSubject(log, { ...files, "shop/stock.py": "", ...others }));
    expect(JSON.stringify(report)).toContain("so no value for `W-7` was added, or it was removed");
  });

  it("is what to check when it is the first candidate", async () => {
    const filled = `${files["shop/stores.py"]}\n\ndef add(sku, price):\n    prices[sku] = price\n`;
    const { report } = await investigated(
      textSubject(
        `Traceback (most recent call last):
  File "/srv/shop/listing.py", line 5, in listing
    return prices[shelf]
KeyError: 'W-7'
`,
        {
          "shop/listing.py": "from shop.stores import prices\n\n\ndef listing(shelf):\n    return prices[shelf]\n",
          "shop/stores.py": filled,
        },
      ),
    );
    expect(JSON.stringify(report)).toContain("`shop/stores.py:3` starts with `{}`, and other code fills it");
  });

  it("isn't filled by another class of its file", async () => {
    const store = `class Store:
    def __init__(self):
        self.prices = {}
`;
    const add = "\n    def add(self, sku, price):\n        self.prices[sku] = price\n";
    const read = {
      "shop/listing.py": `from shop.stores import Store

store = Store()
def listing(shelf):
    return [store.prices[sku] for sku in shelf]
`,
    };
    const said = async (stores: string): Promise<string> => {
      const raised = log.replace("prices[sku] for sku in skus_of.get(shelf, [])", "store.prices[sku] for sku in shelf");
      const { report } = await investigated(textSubject(raised, { ...read, "shop/stores.py": stores }));
      return JSON.stringify(report);
    };
    const filled = "no value for `W-7` was added, or it was removed";
    expect(await said(`${store}${add}`)).toContain(filled);
    expect(await said(`${store}\n\n${store.replace("Store", "Other")}${add}`)).not.toContain(filled);
  });

  it("isn't said to start empty when it has keys", async () => {
    const named = { ...files, "shop/stores.py": files["shop/stores.py"].replace("{}", '{"W-1": 3}') };
    const { report } = await investigated(textSubject(log, named));
    expect(JSON.stringify(report)).not.toContain("was added");
  });
});

describe("an empty list that a lookup falls back to", () => {
  it("isn't said to be where one of its elements came from", async () => {
    const { report } = await investigated(textSubject(log, files));
    expect(JSON.stringify(report)).not.toMatch(/falls back to `\[\]`|Check `\[\]`/);
  });
});
