import { describe, expect, it } from "vitest";
import { investigated, textSubject } from "../../testing.ts";

const seats = (body: string): Record<string, string> => ({
  "src/desk.mjs": `import { pay } from './pay.mjs';
import { Plan } from './plan.mjs';
const plan = new Plan();
export async function book(seat, card) {
${body}
}
`,
  "src/plan.mjs":
    "export class Plan {\n  #sold = new Set();\n  isFree(seat) {\n    return !this.#sold.has(seat);\n  }\n  sell(seat) {\n    if (!this.isFree(seat)) throw new Error(`seat ${seat} is already sold`);\n    this.#sold.add(seat);\n  }\n}\n",
  "src/pay.mjs":
    "export async function pay(card) {\n  await fetch('https://bank.example', { method: 'POST', body: card });\n}\n",
});
const log = (line: number, column: number): string => `Error: seat 12 is already sold
    at Plan.sell (file:///srv/src/plan.mjs:7:36)
    at book (file:///srv/src/desk.mjs:${line}:${column})
`;

const redeeming = (problem: string): string => `Traceback (most recent call last):
  File "/srv/coupons/views.py", line 6, in redeem
    Coupon.objects.create(code=code, user=user)
  File "/usr/lib/python3/dist-packages/django/db/models/query.py", line 658, in create
    obj.save(force_insert=True, using=self.db)
django.db.utils.${problem}
`;
const coupons = {
  "coupons/views.py":
    "from django.http import JsonResponse\nfrom coupons.models import Coupon\n\ndef redeem(user, code):\n    if not Coupon.objects.filter(code=code).exists():\n        Coupon.objects.create(code=code, user=user)\n    return JsonResponse({})\n",
};

describe("a state that is checked, waited across, and changed", () => {
  it("is named where it is checked, with what it waits for", async () => {
    const files = seats(
      "  if (!plan.isFree(seat)) return null;\n  await pay(card);\n  plan.sell(seat);\n  return seat;",
    );
    const { report } = await investigated(textSubject(log(7, 8), files));
    expect(report.root_cause).toMatchObject({
      category: "concurrency",
      location: { file: "src/desk.mjs", line: 5, function: "book" },
      statement: expect.stringContaining(
        "checks `plan.isFree(seat)`, waits for `pay(card)`, and calls `plan.sell` without checking again",
      ),
    });
  });

  it("isn't named when nothing is awaited in between", async () => {
    const files = seats(
      "  if (!plan.isFree(seat)) return null;\n  plan.sell(seat);\n  await pay(card);\n  return seat;",
    );
    const { report } = await investigated(textSubject(log(6, 8), files));
    expect(report.root_cause.statement).not.toContain("without checking again");
  });

  it("isn't named under a lock", async () => {
    const files = seats(
      "  return lock.exclusive(seat, async () => {\n    if (!plan.isFree(seat)) return null;\n    await pay(card);\n    plan.sell(seat);\n  });",
    );
    const { report } = await investigated(textSubject(log(8, 10), files));
    expect(report.root_cause.statement).not.toContain("without checking again");
  });

  it("is named where only a comment speaks of a lock", async () => {
    const files = seats(
      "  // no lock\n  if (!plan.isFree(seat)) return null;\n  await pay(card);\n  plan.sell(seat);\n  return seat;",
    );
    const { report } = await investigated(textSubject(log(8, 8), files));
    expect(report.root_cause.statement).toContain("without checking again");
  });

  it("isn't named under a lock that closes with its block, in Python", async () => {
    const locked = coupons["coupons/views.py"].replace(
      /^ {4}(?=if)/m,
      "    with tracing(), cache.lock(code):\n        ",
    );
    const files = {
      "coupons/views.py": locked.replace("        Coupon.objects.create", "            Coupon.objects.create"),
    };
    const text = redeeming('IntegrityError: duplicate key value violates unique constraint "coupons_code_key"');
    const { report } = await investigated(textSubject(text.replace("line 6", "line 7"), files));
    expect(JSON.stringify(report)).not.toContain("another call can pass the same check in between");
  });

  it("is named in Python, for a table that other processes change as well", async () => {
    const { report } = await investigated(
      textSubject(
        redeeming('IntegrityError: duplicate key value violates unique constraint "coupons_code_key"'),
        coupons,
      ),
    );
    expect(report.root_cause).toMatchObject({
      location: { file: "coupons/views.py", line: 5, function: "redeem" },
      statement: expect.stringContaining("another call can pass the same check in between"),
    });
  });

  it.each([
    'ProgrammingError: relation "coupons_coupon" does not exist',
    'IntegrityError: null value in column "user_id" violates not-null constraint',
    'IntegrityError: insert or update on table "coupons_coupon" violates foreign key constraint',
    "IntegrityError: NOT NULL constraint failed: coupons_coupon.user_id",
    "IntegrityError: CHECK constraint failed: amount",
  ])("isn't named for what fails with a single call: %s", async (problem) => {
    const { report } = await investigated(textSubject(redeeming(problem), coupons));
    expect(JSON.stringify(report)).not.toContain("another call can pass the same check in between");
  });
});
