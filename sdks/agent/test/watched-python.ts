import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ordersVariable } from "../src/watch/node/orders.ts";
import { folder, runWatched } from "./watched-folder.ts";

const watchFolder = join(import.meta.dirname, "../src/watch/public/python");

/** Runs a Python program; watched at places, given by line and by the line where their function begins. */
export async function run(
  code: string,
  places?: readonly (readonly [line: number, starts: number, isTest?: boolean])[],
  failures: readonly string[] = ["no stock"],
  pauseMsMax = 60_000,
): ReturnType<typeof runWatched> {
  const file = join(folder, "program.py");
  await writeFile(file, code);
  const ordered = places?.map(([line, starts, isTest = false]) => ({ file, line, starts, is_test: isTest }));
  return runWatched(
    "python3",
    ["-B", file],
    ordered && {
      orders: { places: ordered, failures, pauseMsMax, stopsPerPlaceMax: 1_000_000, loadedFilesMax: 2 },
      variables: (ordersFile) => ({ [ordersVariable]: ordersFile, PYTHONPATH: watchFolder }),
    },
  );
}
