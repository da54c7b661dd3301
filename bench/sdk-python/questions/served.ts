import { quantile } from "../../quantile.ts";
import type { Answer, Effort } from "../answer.ts";
import { Answering } from "../answering-process.ts";
import { type Arm, arms } from "../environment.ts";
import { load } from "../load.ts";
import { type Kind, kinds, ServedApp } from "../served-app.ts";

const paths = { plain: "no call", call: "an outgoing call" } as const;
type Path = keyof typeof paths;

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly processorUs: number;
}

const warmUpSeconds = 0.5;

/** Measures an application in its server, where a client has only been initialized, with a backend that answers. */
export async function served(effort: Effort): Promise<Answer> {
  await using answering = await Answering.start();
  const measured = new Map<string, Figures[]>();
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const kind of kinds) {
      for (const arm of arms) await measure(arm, kind, answering.url, effort, measured);
    }
  }
  const rows = kinds.flatMap((kind) =>
    (Object.keys(paths) as Path[]).flatMap((path) =>
      arms.map((arm) => {
        const of = (name: keyof Figures, other: Arm = arm): number =>
          median(measured.get(key(other, kind, path)), name);
        return [
          `${kind === "wsgi" ? "Flask, gunicorn" : "FastAPI, uvicorn"}, ${paths[path]}`,
          arm,
          of("perSecond").toFixed(0),
          of("p99Ms").toFixed(1),
          of("processorUs").toFixed(0),
          `×${(of("processorUs") / of("processorUs", "none")).toFixed(2)}`,
        ];
      }),
    ),
  );
  return {
    title: "In a server, by init alone, medians",
    headings: ["", "client", "requests/s", "p99 (ms)", "processor time (µs)", "to none"],
    rows,
  };
}

async function measure(
  arm: Arm,
  kind: Kind,
  backend: string,
  { seconds, folder }: Effort,
  measured: Map<string, Figures[]>,
): Promise<void> {
  await using app = await ServedApp.start({ arm, kind, backend, upstream: backend, folder });
  for (const path of Object.keys(paths) as Path[]) {
    await load(`${app.url}/${path}`, { seconds: warmUpSeconds });
    const before = app.processorMs();
    const { requests, perSecond, p99Ms } = await load(`${app.url}/${path}`, { seconds });
    const processorUs = ((app.processorMs() - before) * 1_000) / requests;
    const known = measured.get(key(arm, kind, path)) ?? [];
    measured.set(key(arm, kind, path), [...known, { perSecond, p99Ms, processorUs }]);
  }
}

function key(arm: Arm, kind: Kind, path: Path): string {
  return `${arm} ${kind} ${path}`;
}

function median(figures: readonly Figures[] = [], name: keyof Figures): number {
  return quantile(
    figures.map((one) => one[name]),
    0.5,
  );
}
