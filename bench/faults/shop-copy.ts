import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shopServices } from "../../examples/shop/demo/shop.ts";
import type { Edit } from "./fault.ts";

const shopFolder: string = join(import.meta.dirname, "../../examples/shop");

/** A copy of the shop's code, which releases change. */
export interface ShopCopy {
  readonly folder: string;
  /** Applies the edit of a release; rejects unless its text occurs exactly once. */
  change(edit: Edit): Promise<void>;
  write(file: string, content: string): Promise<void>;
  link(file: string, to: string): Promise<void>;
}

/** Copies the shop to a new folder. */
export async function copyShop(folder: string): Promise<ShopCopy> {
  await mkdir(folder, { recursive: true });
  for (const part of [...shopServices, "package.json"]) {
    await cp(join(shopFolder, part), join(folder, part), { recursive: true });
  }
  await symlink(join(shopFolder, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    async change(edit) {
      const path = join(folder, edit.file);
      await writeFile(path, edited(await readFile(path, "utf8"), edit));
    },
    write: (file, content) => writeFile(join(folder, file), content),
    async link(file, to) {
      await rm(join(folder, file), { force: true });
      await symlink(to, join(folder, file));
    },
  };
}

function edited(text: string, { file, find, replace }: Edit): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places like ${JSON.stringify(find)}, not 1`);
  return parts.join(replace);
}
