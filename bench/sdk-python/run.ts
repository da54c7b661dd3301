import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { quantile } from "../quantile.ts";
import { table } from "../table.ts";

const repository = join(import.meta.dirname, "../..");
const environment = join(repository, "node_modules/.python-bench");
const python = join(environment, "bin/python");
const arms = ["none", "whence", "sentry-sdk", "opentelemetry"] as const;
const figuresSchema = z.object({
  start_ms: z.number(),
  start_mb: z.number(),
  request_us: z.number(),
  capture_us: z.number(),
});
type Figures = z.infer<typeof figuresSchema>;

const rounds = Number(process.argv[2] ?? 9);

if (!existsSync(python)) {
  console.error("Installing sentry-sdk and OpenTelemetry …");
  execFileSync("python3", ["-m", "venv", environment]);
  const packages = join(import.meta.dirname, "requirements.txt");
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--requirement", packages], { stdio: "inherit" });
}

function measure(arm: string): Figures {
  const env = { PATH: process.env.PATH, PYTHONPATH: join(repository, "sdks/python/src") };
  const output = execFileSync(python, [join(import.meta.dirname, "measure.py"), arm], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return figuresSchema.parse(JSON.parse(output));
}

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

console.log(
  table(
    ["medians", "start (ms)", "memory (MB)", "WSGI request (µs)", "capture, 20 frames (µs)"],
    arms.map((arm) => [
      arm,
      shown(arm, "start_ms", 1),
      shown(arm, "start_mb", 1),
      shown(arm, "request_us", 0),
      shown(arm, "capture_us", 0),
    ]),
  ),
);
