import { constants, crc32, deflateRawSync } from "node:zlib";

/** 2.0: directories and deflate. */
const version = 20;
/** UTF-8 names. */
const flags = 0x0800;
const deflated = 8;
/** The first day that a ZIP archive can name, 1980-01-01, in the format of MS-DOS. */
const modifiedDate = 0x0021;
/** Made on Unix, so that the mode counts: a regular file that anyone may read. */
const madeBy = (3 << 8) | version;
const mode = (0o100644 << 16) >>> 0;

/** Packs files, by path, into a ZIP archive. The same files in the same order give the same bytes. */
export function zipArchive(files: ReadonlyMap<string, Buffer>): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path);
    const data = deflateRawSync(content, { level: constants.Z_BEST_COMPRESSION });
    const described = description(name, content, data);
    const local = Buffer.concat([field(0x0403_4b50, 4), described, name, data]);
    directory.push(
      Buffer.concat([
        field(0x0201_4b50, 4),
        field(madeBy, 2),
        described,
        Buffer.alloc(6),
        field(mode, 4),
        field(offset, 4),
        name,
      ]),
    );
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const counts = [field(files.size, 2), field(files.size, 2)];
  const end = [
    field(0x0605_4b50, 4),
    Buffer.alloc(4),
    ...counts,
    field(entries.length, 4),
    field(offset, 4),
    Buffer.alloc(2),
  ];
  return Buffer.concat([...parts, entries, ...end]);
}

/** Returns the fields that a file's header and its entry in the directory share. */
function description(name: Buffer, content: Buffer, data: Buffer): Buffer {
  return Buffer.concat([
    field(version, 2),
    field(flags, 2),
    field(deflated, 2),
    field(0, 2),
    field(modifiedDate, 2),
    field(crc32(content), 4),
    field(data.length, 4),
    field(content.length, 4),
    field(name.length, 2),
    field(0, 2),
  ]);
}

/** Returns a little-endian number. */
function field(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
