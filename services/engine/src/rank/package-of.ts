/** Returns the installed package that a path leads into; empty for a project's own code. */
export function packageOf(name: string): string {
  return (
    /(?:^|\/)(?:node_modules|site-packages|dist-packages|gems|vendor|pkg\/mod)\/((?:@[^/]+\/)?[^/]+)(?:\/|$)/.exec(
      name,
    )?.[1] ?? ""
  );
}
