import { join } from "node:path";
import { expect } from "vitest";
import { type Ending, type Programs, run } from "../equivalence-programs.ts";
import { startGateway } from "../gateway.ts";
import { runUntilSent } from "../next-start.ts";
import { runtimeNamed } from "../runtimes.ts";

/** The report of one failure. */
export interface ReportedFailure {
  readonly message: string;
  readonly job: unknown;
  readonly path: string | undefined;
  readonly mechanism: string;
  /** The lines printed before it, as breadcrumbs. */
  readonly logged: readonly string[];
}

/**
 * Runs a program without the client and with it preloaded, expects the same from both, and returns what was reported.
 */
export async function runPreloaded(
  { folder }: Programs,
  version: string,
  file: string,
  args: readonly string[] = [],
): Promise<ReportedFailure[]> {
  const gateway = await startGateway();
  const program = { runtime: runtimeNamed(version), file, args };
  const [flag, preload] = version === "20" ? (["--require", "register.cjs"] as const) : ["--import", "register.js"];
  try {
    const plain = await run(folder, program);
    const watched = await runUntilSent(folder, {
      ...program,
      flags: [flag, join(folder, "sdk", preload)],
      env: { WHENCE_API_KEY: "whk_test", WHENCE_ENDPOINT: gateway.url },
    });
    expect(sorted(watched)).toEqual(sorted(plain));
    expect(plain.code).toBe(0);
    return gateway
      .events()
      .flatMap(({ type, message, exceptions, attributes, request, mechanism, breadcrumbs = [] }) => {
        if (type !== "exception" && type !== "log") return [];
        const logged = breadcrumbs.flatMap((crumb) => (crumb.category === "log" ? (crumb.message ?? "") : []));
        const text = exceptions?.[0]?.message ?? message;
        return { message: text, job: attributes?.job, path: request?.path, mechanism: mechanism.type, logged };
      });
  } finally {
    await gateway.close();
  }
}

/** Sorts output: concurrent jobs print in any order, and Node's own calls depend on what was due. */
function sorted({ stdout, stderr, ...ending }: Ending): object {
  const calls = /\n +at (?:[\w.]+ \()?node:internal\/(?:timers|process\/task_queues):.*/g;
  const lines = (text: string): string[] => text.replaceAll(calls, "").split("\n").sort();
  return { ...ending, stdout: lines(stdout), stderr: lines(stderr) };
}
