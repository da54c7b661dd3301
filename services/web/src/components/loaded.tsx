import type { UseQueryResult } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { Placeholder } from "./placeholder.tsx";
import { Problem } from "./problem.tsx";

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** As many grey lines as there will be of text. */
  readonly lines: number;
  readonly children: (data: Data) => ReactNode;
}

/** What a query answered, once it has; why it did not, and asking again. */
export function Loaded<Data>({ query, lines, children }: LoadedProps<Data>): JSX.Element {
  const { data, error, refetch } = query;
  return (
    <>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data === undefined ? error ? null : <Placeholder lines={lines} /> : children(data)}
    </>
  );
}
