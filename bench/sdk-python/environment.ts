import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What is compared; the baseline first. */
export const arms = ["none", "whence", "sentry-sdk", "opentelemetry"] as const;
export type Arm = (typeof arms)[number];

export const repository: string = join(import.meta.dirname, "../..");
/** The virtual environment with what is compared. */
export const environment: string = join(repository, "node_modules/.python-bench");
export const python: string = join(environment, "bin/python");

/** Installs the packages that `requirements.txt` names, once; WHENCE_PYTHON names another Python than `python3`. */
export function install(): void {
  const packages = join(import.meta.dirname, "requirements.txt");
  if (!existsSync(python)) execFileSync(process.env.WHENCE_PYTHON ?? "python3", ["-m", "venv", environment]);
  if (existsSync(join(environment, "bin/uvicorn"))) return;
  console.error("Installing sentry-sdk, OpenTelemetry, Flask, and FastAPI …");
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--requirement", packages], { stdio: "inherit" });
}
