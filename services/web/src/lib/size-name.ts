const units = ["bytes", "KiB", "MiB"] as const;
const step = 1_024;

/** `512 bytes`, `3.4 KiB`, `1 MiB`. */
export function sizeName(bytes: number): string {
  const power = bytes < step ? 0 : bytes < step * step ? 1 : 2;
  // Rounded up, so that a value one byte over a limit isn't shown as the limit.
  const size = power === 0 ? bytes : Math.ceil((bytes / step ** power) * 10) / 10;
  return `${size.toLocaleString("en")} ${units[power]}`;
}

const bytesPerMegabyte = 1_000_000;

/** Returns whole megabytes, rounded up: `2 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / bytesPerMegabyte).toLocaleString()} MB`;
}
