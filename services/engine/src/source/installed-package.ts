const installed = /\/(?:node_modules|site-packages|dist-packages|pkg\/mod|gems)\//;

/** Returns whether a path leads into an installed package. */
export function isInstalledName(name: string): boolean {
  return installed.test(`/${name}`);
}

/** Returns the installed package that a path leads into; empty for a project's own code. */
export function packageOf(name: string): string {
  return (
    /(?:^|\/)(?:node_modules|site-packages|dist-packages|gems|vendor|pkg\/mod)\/((?:@[^/]+\/)?[^/]+)(?:\/|$)/.exec(
      name,
    )?.[1] ?? ""
  );
}

/** Returns the folder of the package that a file belongs to; empty for the user's own code. */
export function packageFolder(name: string): string {
  return (
    /^.*\/?node_modules\/(?:@[^/]+\/)?[^/]+|^.*(?:site|dist)-packages\/[^/]+|^.*\/(?:pkg\/mod|gems)\/.*?[^/]+@?[\w.-]*\//.exec(
      name,
    )?.[0] ?? ""
  );
}

/** Returns the folder in `node_modules` of the package that a file belongs to; empty for other files. */
export function nodePackageFolder(name: string): string {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(name)?.[0] ?? "";
}
