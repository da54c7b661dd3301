import { shareText } from "../rca/intervals.ts";
import { table } from "../table.ts";
import { type Answer, lastCounted, type Method, type ScoredCase } from "./score.ts";

const methods: readonly Method[] = [
  ...(["loudest service", "first failing call", "weights by judgment"] as const),
  ...(["learned, other systems", "learned, other operators"] as const),
];
const learned: Method = "learned, other systems";
const bands = [0, 0.4, 0.6, 0.8, 1] as const;

function isRight({ run }: ScoredCase, answer: Answer | null, last: number): boolean {
  return answer?.services.slice(0, last).some((service) => run.cause.services.includes(service)) === true;
}

function share(scored: readonly ScoredCase[], method: Method, last = 1): string {
  const asked = scored.filter(({ answers }) => answers[method] !== null);
  return shareText(asked.filter((one) => isRight(one, one.answers[method], last)).length, asked.length);
}

/** How often each method names the service that caused a run first, and among three. */
export function methodTable(scored: readonly ScoredCase[]): string {
  const first = scored.filter(({ isFirst }) => isFirst);
  const others = scored.filter(({ isFirst, kind }) => !isFirst && kind === "event");
  const alerts = scored.filter(({ kind }) => kind === "alert");
  const rows = methods.map((method) => [
    method,
    share(first, method),
    share(first, method, lastCounted),
    share(others, method),
    share(alerts, method),
  ]);
  const headings = [
    ...["method", `first failure (${first.length}), AC@1`, `AC@${lastCounted}`],
    ...[`another service's failure (${others.length}), AC@1`, `alert (${alerts.length}), AC@1`],
  ];
  return table(headings, rows);
}

/** The same by what was broken. */
export function familyTable(scored: readonly ScoredCase[]): string {
  const first = scored.filter(({ isFirst }) => isFirst);
  const families = [...Map.groupBy(first, ({ run }) => run.family)];
  return table(
    ["broken", "runs", ...methods],
    families.map(([family, ofFamily]) => [
      family,
      String(ofFamily.length),
      ...methods.map((method) => share(ofFamily, method)),
    ]),
  );
}

/** How often the engine is right when it says how sure it is, on systems that it hasn't seen. */
export function reliabilityTable(scored: readonly ScoredCase[]): string {
  const rows = bands.slice(1).map((to, index) => {
    const from = bands[index] ?? 0;
    const within = scored.filter(({ answers }) => {
      const confidence = answers[learned]?.confidence ?? null;
      return confidence !== null && confidence > from && confidence <= to;
    });
    const mean = within.reduce((sum, { answers }) => sum + (answers[learned]?.confidence ?? 0), 0);
    const stated = within.length === 0 ? "-" : `${((100 * mean) / within.length).toFixed(0)}%`;
    return [`${100 * from} to ${100 * to}%`, String(within.length), stated, share(within, learned)];
  });
  return table(["stated confidence", "cases", "mean", "right service first"], rows);
}
