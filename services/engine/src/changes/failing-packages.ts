import type { ParsedError } from "../findings/parsed-error.ts";
import { missingModuleOf } from "../signals/signal.ts";
import type { Traced } from "../trace/traced.ts";
import { packageName } from "./called-packages.ts";

const installed = /(?:^|\/)(?:node_modules|site-packages|dist-packages|gems)\/((?:@[^/]+\/)?[^/]+)(?=\/)/g;
const ofGo = /(?:^|\/)pkg\/mod\/(.+?)@v\d/;

/**
 * Returns the third-party packages that have code on the stack or weren't found, in lowercase, as manifests name them.
 */
export function failingPackages(error: ParsedError, { frames, signals }: Traced): ReadonlySet<string> {
  const onStack = frames.flatMap(({ frame, file }) => {
    if (frame.origin !== "dependency") return [];
    const path = frame.file ?? file;
    const name = [...path.matchAll(installed)].at(-1)?.[1]?.replace(/-\d[\w.]*$/, "") ?? ofGo.exec(path)?.[1];
    return name ?? [];
  });
  const missing = signals.flatMap((signal) => missingModuleOf(signal) ?? []);
  const said = error.chain.flatMap(
    (index) =>
      /(?:Cannot find (?:module|package)|No module named|The requested module|cannot import name '[^']{1,200}' from) ['"]([^'"]+)['"]/.exec(
        error.exceptions[index]?.message ?? "",
      )?.[1] ?? [],
  );
  return new Set([...onStack, ...[...missing, ...said].map(packageName)].map((name) => name.toLowerCase()));
}
