import type { Frame } from "@whence/protocol";
import { expect, it } from "vitest";
import { investigated } from "../investigated.ts";
import { eventSubject, exception, foreignFrame, reportedEvent } from "../reported-event.ts";

// Nothing about its path says whose it is.
const helper = { ...foreignFrame("/srv/orders/shared/prices.js", 40, "total"), column: 7 };
const own = { ...foreignFrame("/srv/orders/app.js", 12, "checkout"), in_app: true };

const fileOf = async (type: string, frames: readonly Frame[], message = "no price"): Promise<string | undefined> => {
  const { report } = await investigated(
    eventSubject(reportedEvent({ exceptions: [exception(type, message, frames)] })),
  );
  return report.root_cause.location?.file;
};

const around = (line: number, code: string) => ({
  context: { start_line: line - 1, lines: ["", code, ""] },
});
const callers: Readonly<Record<string, readonly [type: string, callee: Frame, caller: Frame]>> = {
  JavaScript: [
    "Error",
    { ...helper, ...around(40, "  if (!price) throw new Error('no price');") },
    { ...own, ...around(12, "  return total(cart);") },
  ],
  Python: [
    "ValueError",
    { file: "acme/prices.py", line: 40, function: "total", ...around(40, "    raise ValueError('no price')") },
    { file: "orders/app.py", line: 12, function: "checkout", in_app: true, ...around(12, "    return total(cart)") },
  ],
  Java: [
    "java.lang.IllegalStateException",
    {
      ...{ file: "com/acme/prices/Prices.java", line: 40, function: "Prices.total" },
      ...around(40, '        throw new IllegalStateException("no price");'),
    },
    {
      ...{ file: "org/shop/orders/Orders.java", line: 12, function: "Orders.checkout", in_app: true },
      ...around(12, "        return prices.total(cart);"),
    },
  ],
};

it.each(Object.entries(callers))("the report on %s starts at the program's own code, if any is", async (_, called) => {
  const [type, callee, caller] = called;
  const starts = (isOwn: boolean, isOfCaller: boolean) =>
    fileOf(type, [
      { ...callee, in_app: isOwn },
      { ...caller, in_app: isOfCaller },
    ]);
  expect(await starts(false, true)).toBe(caller.file);
  expect(await starts(true, true)).toBe(callee.file);
  expect(await starts(false, false)).toBe(callee.file);
});

const called = (
  file: string,
  line: number,
  lines: readonly string[],
  caller: Frame,
): [callee: Frame, caller: Frame] => [
  { file, line: line + lines.length - 1, in_app: false, context: { start_line: line, lines: [...lines] } },
  caller,
];
const calledInJavaScript = (...lines: string[]) =>
  called("/srv/orders/shared/prices.js", 39, ["function total(cart, code) {", ...lines], {
    ...{ ...own, column: 10 },
    ...around(12, "  return total(cart);"),
  });
const calledInPython = (...lines: string[]) =>
  called("acme/prices.py", 39, ["def total(cart, code):", ...lines], {
    ...{ file: "orders/app.py", line: 12, function: "checkout", in_app: true },
    ...around(12, "    return total(cart)"),
  });
const ofUndefined = "Cannot read properties of undefined (reading 'value')";
const ofNone = "'NoneType' object has no attribute 'value'";

it.each<[string, type: string, message: string, frames: readonly [Frame, Frame]]>([
  [
    ...(["JavaScript, of a variable", "TypeError", "Cannot read properties of null (reading 'add')"] as const),
    calledInJavaScript("  let sum = null;", "  sum.add(cart.price);"),
  ],
  [
    ...(["JavaScript, of a key", "TypeError", ofUndefined] as const),
    calledInJavaScript("  const rate = rates[code];", "  return rate.value;"),
  ],
  [
    ...(["Python, of a variable", "AttributeError", ofNone] as const),
    calledInPython("    rate = None", "    return rate.value"),
  ],
  [
    ...(["Python, of a key", "KeyError", "'EUR'"] as const),
    calledInPython("    rates = {}", "    return rates['EUR']"),
  ],
])("the report starts at a call of others that makes the bad value: %s", async (_, type, message, frames) => {
  expect(await fileOf(type, frames, message)).toBe(frames[0].file);
});

it.each<[string, type: string, message: string, frames: readonly [Frame, Frame]]>([
  [
    ...(["JavaScript", "Error", "no price"] as const),
    calledInJavaScript("  const price = cart.price;", "  if (!price) throw new Error('no price');"),
  ],
  [
    ...(["Python", "ValueError", "no price"] as const),
    calledInPython("    price = cart.price", "    if not price:", "        raise ValueError('no price')"),
  ],
])("the report starts at the caller of one that only guards against what it is given: %s", async (_, ...failure) => {
  const [type, message, [callee, caller]] = failure;
  expect(await fileOf(type, [callee, caller], message)).toBe(caller.file);
  const unread = { file: caller.file, line: 12, function: "checkout", in_app: true };
  expect(await fileOf(type, [callee, unread], message)).toBe(caller.file);
});
