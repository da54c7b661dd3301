import { slackAppUrl, slackManifest } from "@whence/protocol";
import type { JSX } from "react";
import { CopyField } from "../../../components/copy-field.tsx";

/**
 * Links that create the app at Slack, for events over HTTP or, where Slack can't reach the service, over Socket Mode.
 */
export function SlackAppLinks({ url }: { readonly url: string }): JSX.Element {
  const [http, socketMode] = [slackManifest(url), slackManifest(null)];
  return (
    <>
      <p>
        <a href={slackAppUrl(http)} target="_blank" rel="noopener noreferrer">
          Create the Slack app
        </a>
        , or{" "}
        <a href={slackAppUrl(socketMode)} target="_blank" rel="noopener noreferrer">
          create it with Socket Mode
        </a>{" "}
        if Slack can't reach this address.
      </p>
      <CopyField label="App manifest" value={JSON.stringify(http)} />
      <CopyField label="App manifest with Socket Mode" value={JSON.stringify(socketMode)} />
    </>
  );
}
