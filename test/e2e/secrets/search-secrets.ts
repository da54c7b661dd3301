import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A searched place, by name. */
export type Place = readonly [name: string, content: Buffer];

const alignments = [0, 1, 2];

/** Returns each encoding of a secret: plain, in URLs, in JSON, in hex, and in base64 at any offset. */
function formsOf(secret: string): readonly Buffer[] {
  const encoded = alignments.flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    // The characters at both ends depend on the adjacent text.
    const inner = (text: string): string => text.slice(offset === 0 ? 0 : 4, -4);
    return [inner(whole.toString("base64")), inner(whole.toString("base64url"))];
  });
  const texts = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return [...texts, ...encoded, Buffer.from(secret).toString("hex")].map((text) => Buffer.from(text));
}

/** Returns the places of secrets, by name: `api key in whence.db-wal`. */
export function findSecrets(secrets: Readonly<Record<string, string>>, places: readonly Place[]): readonly string[] {
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const forms = formsOf(secret);
    const found = places.filter(([, content]) => forms.some((form) => content.includes(form)));
    return found.map(([place, content]) => `${name} in ${place}: ${around(content, forms)}`);
  });
}

function around(content: Buffer, forms: readonly Buffer[]): string {
  const at = Math.max(...forms.map((form) => content.indexOf(form)));
  return content.subarray(Math.max(0, at - 100), at + 100).toString("latin1");
}

/** Returns every file below a folder, except for names that may contain secrets. */
export async function filesBelow(folder: string, except: readonly string[] = []): Promise<readonly Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !except.includes(entry.name));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  // A running service deletes files between the listing and the read.
  const read = await Promise.all(paths.map((path) => readFile(path).catch(() => Buffer.alloc(0))));
  return paths.map((path, index) => [path.slice(folder.length + 1), read[index] ?? Buffer.alloc(0)]);
}
