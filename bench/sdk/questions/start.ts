import { table } from "../../table.ts";
import { installedBytes } from "../adapters.ts";
import { type Bench, shown } from "../bench.ts";
import { Program } from "../program.ts";

/** Measures the size of an install, and the cost of import and `init`. */
export async function start(bench: Bench): Promise<string> {
  const rows: string[][] = [];
  for (const adapter of bench.adapters) {
    const ms: number[] = [];
    const bytes: number[] = [];
    for (let round = 0; round < bench.rounds * 3; round++) {
      const program = new Program(bench.node, "start.cjs", [JSON.stringify(adapter), "http://127.0.0.1:9"]);
      const figures = await program.said<{ ms: number; bytes: number }>();
      await program.end();
      ms.push(figures.ms);
      bytes.push(figures.bytes / 1e6);
    }
    const installed = installedBytes(adapter);
    const isInstalled = !["none", "floor"].includes(adapter.id);
    rows.push([
      adapter.id,
      isInstalled ? (installed.bytes / 1e3).toFixed(0) : "0",
      isInstalled ? String(installed.packages) : "0",
      shown(ms, 1),
      shown(bytes, 1),
    ]);
  }
  return table(["install and start", "kB", "packages", "import + init ms", "RSS + MB"], rows);
}
