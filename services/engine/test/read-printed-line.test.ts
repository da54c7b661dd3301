import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "./investigated.ts";

const crash = `/srv/shop/src/racks.js:6
    const racks = this.racks; return { aisle: Math.min(aisle, rack.aisles), of: racks.aisles };
                                                                  ^

TypeError: Cannot read properties of undefined (reading 'aisles')
    at placeOf (/srv/shop/src/racks.js:6:67)
    at move (/srv/shop/src/moves.js:6:17)

Node.js v26.10.0
`;
const traceback = `Traceback (most recent call last):
  File "/srv/shop/app/views.py", line 22, in checkout
    total = price(order)
  File "/srv/shop/app/pricing.py", line 9, in price
    return order.customer.discount * order.total
AttributeError: 'NoneType' object has no attribute 'discount'
`;
const pricing = `def total_of(order):
    return order.lines


def price(order):
    if order.total is None:
        return 0
    # Regular customers
    return order.customer.discount * order.total
`;

describe("a stack without its files", () => {
  it.each([
    ["Node.js, by the column", crash, "`placeOf` (`src/racks.js:6`) reads `aisles` of `rack`, which is `undefined`."],
    ["Python", traceback, "`price` (`pricing.py:9`) reads `discount` of `order.customer`, which is `None`."],
  ])("says what the printed line did: %s", async (_, errorLog, statement) => {
    const { report } = await investigated(textSubject(errorLog));
    expect(report.root_cause.statement).toContain(statement);
  });

  it("quotes the line as printed", async () => {
    const { report } = await investigated(textSubject(traceback));
    const [cited] = report.evidence.filter(({ excerpt }) => excerpt === "return order.customer.discount * order.total");
    expect(cited?.location).toMatchObject({ file: "/srv/shop/app/pricing.py", line: 9 });
  });

  it("gets no patch, and no more confidence than without the printed lines", async () => {
    const without = traceback.replaceAll(/^ {4}.*\n/gm, "");
    const [{ report }, bare] = await Promise.all([
      investigated(textSubject(traceback)),
      investigated(textSubject(without)),
    ]);
    expect(report.patch).toBeUndefined();
    expect(report.confidence.score).toBe(bare.report.confidence.score);
  });

  it("is explained by its files where they were given", async () => {
    const { report } = await investigated(textSubject(traceback, { "app/pricing.py": pricing }));
    expect(report.evidence.map(({ source }) => source.name)).toContain("app/pricing.py");
  });
});
