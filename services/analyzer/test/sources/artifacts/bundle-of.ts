import { crc32 } from "node:zlib";

/** Returns a bundle of built files, by their URLs, as sentry-cli makes it; `null` leaves the manifest out. */
export async function bundleOf(
  files: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, Readonly<Record<string, string>>>> | null = {},
): Promise<Buffer> {
  const named = Object.entries(files).map(([url, text], index) => ({ name: `files/${index}`, url, text }));
  const manifest = {
    files: Object.fromEntries(
      named.map(({ name, url }) => {
        const type = url.endsWith(".map") ? "source_map" : "minified_source";
        return [name, { type, url, headers: headers?.[url] ?? {} }];
      }),
    ),
  };
  const entries = headers === null ? named : [...named, { name: "manifest.json", text: JSON.stringify(manifest) }];
  return zipOf(entries);
}

/** Returns a ZIP that stores its files as they are, behind the header of bundles. */
function zipOf(entries: readonly { readonly name: string; readonly text: string }[]): Buffer {
  const parts: Buffer[] = [Buffer.from("SYSB\u0002\0\0\0")];
  const directory: Buffer[] = [];
  const length = (buffers: readonly Buffer[]) => buffers.reduce((sum, one) => sum + one.length, 0);
  for (const { name, text } of entries) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(data.length, 18);
    shared.writeUInt16LE(path.length, 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(length(parts), 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\0"), shared, central, path);
    parts.push(Buffer.from("PK\u0003\u0004"), shared, path, data);
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(length(directory), 8);
  end.writeUInt32LE(length(parts), 12);
  return Buffer.concat([...parts, ...directory, Buffer.from("PK\u0005\u0006"), end]);
}
