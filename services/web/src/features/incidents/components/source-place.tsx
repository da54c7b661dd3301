import type { Location } from "@whence/protocol";
import type { JSX } from "react";
import { placeName } from "../place-name.ts";

export interface SourcePlaceProps {
  /** The service whose code it is in. */
  readonly service: string | null;
  readonly location: Pick<Location, "file" | "line">;
}

/** A place in source code, by a short path; the whole one on hover. */
export function SourcePlace({ location }: SourcePlaceProps): JSX.Element {
  return <code title={location.file}>{placeName(location)}</code>;
}
