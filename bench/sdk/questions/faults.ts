import { table } from "../../table.ts";
import { type Bench, startPair } from "../bench.ts";

const errorsPerFault = 10_000;
const bytesPerMegabyte = 1e6;
const modes = [
  "refused",
  "slow",
  "hanging",
  "500",
  "429",
  "413",
  "a page",
  "a redirect",
  "garbage",
  "half an answer",
  "an endless answer",
];

interface Figures {
  readonly keptBytes: number;
  readonly keptLaterBytes: number;
  readonly loopMaxMs: number;
}

/**
 * Measures 10,000 errors against a service that fails in each way: what stays in memory, and how long the event loop is
 * blocked.
 */
export async function faults(bench: Bench, only: readonly string[]): Promise<string> {
  const rows: string[][] = [];
  for (const mode of modes.filter((one) => only.length === 0 || only.includes(one))) {
    for (const adapter of bench.adapters.filter(({ id }) => id !== "floor")) {
      const { sink, program } = await startPair(bench, adapter, "capture.cjs");
      await program.said();
      if (mode === "refused") await sink.stop();
      else await sink.ask({ mode });
      const figures = await program.ask<Figures>({ run: "hold", errors: errorsPerFault });
      let arrived = "";
      if (mode !== "refused") {
        // Healthy again, which the client has to notice on its own.
        await sink.ask({ mode: "well" });
        await program.ask({ run: "recover" });
        const { errors, lost } = await sink.ask<{ errors: number; lost: number }>({});
        arrived = `${errors} + ${lost} reported lost`;
        await sink.stop();
      }
      await program.stop();
      rows.push([
        mode,
        adapter.id,
        (figures.keptBytes / bytesPerMegabyte).toFixed(1),
        (figures.keptLaterBytes / bytesPerMegabyte).toFixed(1),
        figures.loopMaxMs.toFixed(0),
        arrived,
      ]);
    }
  }
  return table(
    ["the service answers", "client", "kept MB", "5 s later", "longest stall ms", "arrived afterwards"],
    rows,
  );
}
