import type { Location } from "@whence/protocol";
import { type JSX, useContext } from "react";
import { ExternalLink } from "../../../components/external-link.tsx";
import { type CodeOwner, placeUrls } from "../code-urls.ts";
import { placeName } from "../place-name.ts";
import { CodeContext } from "./code-context.tsx";

export interface SourcePlaceProps extends CodeOwner {
  readonly location: Pick<Location, "file" | "line">;
  /** Whether who wrote the line is linked, too. */
  readonly withBlame?: boolean;
}

/** A place in source code by a short path, the whole one on hover, linked to the code host at the release's commit. */
export function SourcePlace({ location, withBlame = false, ...owner }: SourcePlaceProps): JSX.Element {
  const urls = placeUrls(useContext(CodeContext), owner, location);
  const name = <code title={location.file}>{placeName(location)}</code>;
  if (urls === null) return name;
  return (
    <>
      <ExternalLink href={urls.file}>{name}</ExternalLink>
      {withBlame ? (
        <>
          {" "}
          <ExternalLink href={urls.blame}>blame</ExternalLink>
        </>
      ) : null}
    </>
  );
}
