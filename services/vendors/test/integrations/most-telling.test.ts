import type { OutsideFinding } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { mostTelling } from "../../src/integrations/most-telling.ts";
import { question } from "./question.ts";

const change = (target: string | null, title = "v2"): OutsideFinding => ({
  ...{ kind: "change-event", what: "deployment", vendor: "Acme", title, target },
  ...{ at: question.at, by: null, failed: null, url: null },
});
const log = (message: string): OutsideFinding => ({
  ...{ kind: "log", vendor: "Acme", level: "error", source: "orders" },
  ...{ message, at: question.at, count: 1, url: null },
});

describe("the most telling findings", () => {
  it.each(["orders", "Orders-API", "orders-7d9f", "payments.example.com"])("name what failed: %s", (target) => {
    const found = mostTelling([change("blog"), change(target), change(null, `deployed ${target}`)], question);
    expect(found).toEqual([change(target), change(null, `deployed ${target}`), change("blog")]);
  });

  it("are followed by a few log lines, and by others after everything else", () => {
    const logs = Array.from({ length: 11 }, (_, index) => log(`line ${index}`));
    const found = mostTelling([...logs, change("blog"), change("orders")], question);
    expect(found).toEqual([change("orders"), ...logs.slice(0, 10), change("blog"), ...logs.slice(10)]);
  });
});
