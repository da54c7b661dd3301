import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFolderLock } from "../../src/folder-lock.ts";

/** Increments the number in `count` `times` times. With `dies`, it is killed while it holds the lock. */
const [folder = "", times = "0", dies = ""] = process.argv.slice(2);
const path = join(folder, "count");

for (let done = 0; done < Number(times); done += 1) {
  await withFolderLock(folder, async () => {
    if (dies !== "") process.kill(process.pid, "SIGKILL");
    const count = Number(await readFile(path, "utf8"));
    await writeFile(path, String(count + 1));
  });
}
