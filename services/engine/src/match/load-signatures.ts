import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { load } from "js-yaml";
import { z } from "zod";
import { type SignatureEntry, signatureSchema } from "./signature.ts";

const folder = join(import.meta.dirname, "signatures");
const orderFile = "order.yaml";
const orderSchema = z.array(z.string());
const familySchema = z.array(signatureSchema).min(1);

let loaded: ReadonlyMap<string, readonly SignatureEntry[]> | undefined;

/**
 * Returns every signature by family, the most specific family first. The files are read on the first call and kept.
 * Throws when a file doesn't follow the schema, isn't listed in order.yaml, or has the name of another one.
 */
export function loadSignatures(): ReadonlyMap<string, readonly SignatureEntry[]> {
  loaded ??= readFamilies();
  return loaded;
}

function readFamilies(): Map<string, readonly SignatureEntry[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".yaml") && file !== orderFile,
  );
  const byFamily = new Map(files.map((file) => [basename(file, ".yaml"), file]));
  const [twice] = files.filter((file) => byFamily.get(basename(file, ".yaml")) !== file);
  if (twice !== undefined) throw new Error(`Two files in ${folder} are called ${basename(twice)}.`);
  const listed = orderSchema.parse(readYaml(orderFile));
  const unlisted = [...byFamily].flatMap(([family, file]) => (listed.includes(family) ? [] : file));
  if (unlisted.length > 0) throw new Error(`${join(folder, orderFile)} doesn't list ${unlisted.join(", ")}.`);
  return new Map(listed.map((family) => [family, readFamily(byFamily.get(family) ?? `${family}.yaml`)]));
}

function readFamily(file: string): readonly SignatureEntry[] {
  const read = familySchema.safeParse(readYaml(file));
  if (!read.success) throw new Error(`${join(folder, file)} isn't valid: ${z.prettifyError(read.error)}`);
  return read.data;
}

function readYaml(file: string): unknown {
  return load(readFileSync(join(folder, file), "utf8"));
}
