const installed = /\/(?:node_modules|site-packages|dist-packages|pkg\/mod|gems)\//;

/** Returns whether a path leads into an installed package. */
export function isInstalledName(name: string): boolean {
  return installed.test(`/${name}`);
}
