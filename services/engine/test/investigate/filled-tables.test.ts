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
    expect(words).toContain("`shop/stores.py:3` starts with `{}`, so `W-7` was never added, or was removed");
    expect(words).not.toMatch(/leaves out `W-7`|Provide `W-7`/);
  });

  it("isn't said to start empty when it has keys", async () => {
    const named = { ...files, "shop/stores.py": files["shop/stores.py"].replace("{}", '{"W-1": 3}') };
    const { report } = await investigated(textSubject(log, named));
    expect(JSON.stringify(report)).not.toContain("was never added");
  });
});

describe("an empty list that a lookup falls back to", () => {
  it("isn't said to be where one of its elements came from", async () => {
    const { report } = await investigated(textSubject(log, files));
    expect(JSON.stringify(report)).not.toMatch(/falls back to `\[\]`|Check `\[\]`/);
  });
});
