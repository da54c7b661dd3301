import type { FailureQuestion } from "./integration.ts";

/**
 * Puts sandboxes first that the failing request called or ran in: their ID is in the hostname, such as
 * `3000-ID.e2b.app`.
 */
export function calledSandboxesFirst<Sandbox>(
  sandboxes: readonly Sandbox[],
  idOf: (sandbox: Sandbox) => string,
  { calledHosts, host }: FailureQuestion,
): readonly Sandbox[] {
  const isCalled = (sandbox: Sandbox): boolean => [...calledHosts, host].some((name) => name.includes(idOf(sandbox)));
  return [...sandboxes.filter(isCalled), ...sandboxes.filter((sandbox) => !isCalled(sandbox))];
}
