import type { JSX } from "react";

const commitShown = 7;

/** The commit that a release was built from. */
export function CommitId({ id }: { readonly id: string }): JSX.Element {
  return (
    <>
      commit <code>{id.slice(0, commitShown)}</code>
    </>
  );
}
