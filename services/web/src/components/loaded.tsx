import type { UseQueryResult } from "@tanstack/react-query";
import type { JSX, ReactNode } from "react";
import { Placeholder } from "./placeholder.tsx";
import { Problem } from "./problem.tsx";

export interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** The number of placeholder lines. */
  readonly lines: number;
  readonly children: (data: Data) => ReactNode;
}

/** The result of a query once it has loaded, or its error with a retry button. */
export function Loaded<Data>({ query, lines, children }: LoadedProps<Data>): JSX.Element {
  const { data, error, refetch } = query;
  return (
    <>
      {error ? <Problem error={error} retry={() => void refetch()} /> : null}
      {data === undefined ? error ? null : <Placeholder lines={lines} /> : children(data)}
    </>
  );
}
