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

  const failing = (code: string, error: string, carets = ""): string =>
    `Traceback (most recent call last):\n  File "/srv/a/a.py", line 3, in f\n    ${code}\n${carets}${error}\n`;
  const absent = "AttributeError: 'NoneType' object has no attribute 'size'";
  const none = "TypeError: 'NoneType' object is not subscriptable";
  const unread = "ValueError: invalid literal for int() with base 10: 'x'";
  const unpacked = "TypeError: cannot unpack non-iterable NoneType object";
  const short = "ValueError: not enough values to unpack (expected 2, got 1)";
  const zero = "ZeroDivisionError: division by zero";

  it.each([
    ["return a.size + b.size", absent, "           ^^^^^^\n", "reads `size` of `a`"],
    ["return a.size + b.size", absent, "                    ^^^^^^\n", "reads `size` of `b`"],
    ["return rates[a] + fees[b]", "KeyError: 'DE'", "                      ~~~~^^^\n", "finds no `DE` in `fees`"],
    ["return rates[a] + fees[b]", "KeyError: u'DE'", "                      ~~~~^^^\n", "finds no `DE` in `fees`"],
    ["return total / count / other", zero, "           ~~~~~~^~~~~~~\n", "divides by `count`"],
    ['return a["b"]["c"]', none, "           ~~~~~~^^^^^\n", 'reads an element of `a["b"]`'],
    ["return a.b.size", absent, "           ^^^^^^^^\n", "reads `size` of `a.b`"],
    ["key, data = load(a)", unpacked, "    ^^^^^^^^^\n", "fails with `TypeError: cannot unpack"],
    ["key, data = load(a)", short, "    ^^^^^^^^^\n", "uses `load(a)`, which has another length than expected"],
    ["for key, data in load(a):", unpacked, "        ^^^^^^^^^\n", "fails with `TypeError: cannot unpack"],
    ["return int(int(a) + b)", unread, "           ^^^^^^^^^^^^^^^\n", "calls `int` with `int(a) + b`"],
  ])("says what the carets mark: %s, %s", async (code, error, carets, said) => {
    const { report } = await investigated(textSubject(failing(code, error, carets)));
    expect(report.root_cause.statement).toContain(said);
  });

  it.each([
    ["return a.size + b.size", absent],
    ["x = a.size if a else b.size", absent],
    ["return rates[a] + fees[b]", "KeyError: 'DE'"],
    ["return (total / count) + (sum / other)", zero],
    ["return total / count / other", zero],
    ["store(load(a), b)", "OSError: [Errno 5] Input/output error"],
  ])("says no more than the error where several parts of the line fit: %s, %s", async (code, error) => {
    const { report } = await investigated(textSubject(failing(code, error)));
    expect(report.root_cause.statement).toContain(`\`f\` (\`a.py:3\`) fails with \`${error}\``);
  });

  const panel = (code: string): string =>
    [
      "╭─ Traceback (most recent call last) ─╮",
      "│ /srv/a/a.py:3 in f                  │",
      "│                                     │",
      `│ ❱ 3 │   ${code.padEnd(27)} │`,
      "╰─────────────────────────────────────╯",
      zero,
    ].join("\n");

  it.each([
    ["return total / count", "divides by `count`"],
    ["return total / count_of_all_", "fails with `ZeroDivisionError: division by zero`"],
  ])("reads a line in a panel, unless it may be cut off there: %s", async (code, said) => {
    const { report } = await investigated(textSubject(panel(code)));
    expect(report.root_cause.statement).toContain(said);
  });

  it("quotes the line as printed", async () => {
    const { report } = await investigated(textSubject(traceback));
    const [cited] = report.evidence.filter(({ excerpt }) => excerpt === "return order.customer.discount * order.total");
    expect(cited?.location).toMatchObject({ file: "/srv/shop/app/pricing.py", line: 9 });
  });

  it("gets no patch, and the candidates that it has without the printed lines", async () => {
    const bare = traceback.replaceAll(/^ {4}.*\n/gm, "");
    const reports = await Promise.all([traceback, bare].map((text) => investigated(textSubject(text))));
    const [read, unread] = reports.map(({ report: { patch, candidates } }) => ({
      patch,
      candidates: candidates.map(({ location, score }) => ({ location, score })),
    }));
    expect(read).toEqual({ ...unread, patch: undefined });
  });

  it("is explained by its files where they were given", async () => {
    const { report } = await investigated(textSubject(traceback, { "app/pricing.py": pricing }));
    expect(report.evidence.map(({ source }) => source.name)).toContain("app/pricing.py");
  });
});
