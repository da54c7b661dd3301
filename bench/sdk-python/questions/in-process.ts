import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { quantile } from "../../quantile.ts";
import type { Answer, Effort } from "../answer.ts";
import { arms, python, repository } from "../environment.ts";

const figuresSchema = z.object({
  start_ms: z.number(),
  start_mb: z.number(),
  request_us: z.number(),
  capture_us: z.number(),
});
type Figures = z.infer<typeof figuresSchema>;

/** Measures, in one process without a server: the start, a WSGI request with the middleware, and a capture. */
export async function inProcess({ rounds }: Effort): Promise<Answer> {
  const measured = new Map<string, Figures[]>(arms.map((arm) => [arm, []]));
  // The first round compiles the modules of each arm.
  for (const arm of arms) measure(arm);
  for (let round = 0; round < rounds; round += 1) {
    for (const arm of arms) measured.get(arm)?.push(measure(arm));
  }
  const shown = (arm: string, name: keyof Figures, digits: number): string =>
    quantile(
      (measured.get(arm) ?? []).map((figures) => figures[name]),
      0.5,
    ).toFixed(digits);
  return {
    title: "In one process: processor time and memory, medians",
    headings: ["", "import and init (ms)", "memory (MB)", "WSGI request (µs)", "capture, 20 frames (µs)"],
    rows: arms.map((arm) => [
      arm,
      shown(arm, "start_ms", 1),
      shown(arm, "start_mb", 1),
      shown(arm, "request_us", 0),
      shown(arm, "capture_us", 0),
    ]),
  };
}

function measure(arm: string): Figures {
  const output = execFileSync(python, [join(import.meta.dirname, "../measure.py"), arm], {
    env: { PATH: process.env.PATH, PYTHONPATH: join(repository, "sdks/python/src") },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return figuresSchema.parse(JSON.parse(output));
}
