import { useQuery } from "@tanstack/react-query";
import type { SourceBundle } from "@whence/protocol";
import type { JSX } from "react";
import { CodeBlock } from "../../../components/code-block.tsx";
import { ConfirmButton } from "../../../components/confirm-button.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Row, Rows } from "../../../components/rows.tsx";
import { TimeAgo } from "../../../components/time.tsx";
import { sizeName } from "../../../lib/size-name.ts";
import { removeSources, sourcesQuery } from "../api/sources.ts";
import { SettingsPage } from "../components/settings-page.tsx";
import { useChange } from "../use-change.ts";
import { useViewer } from "../viewer.ts";
import { CommitId } from "./commit-id.tsx";
import { KeyName } from "./key-name.tsx";
import { ReportedReleases } from "./reported-releases.tsx";
import { uploadCommands } from "./upload-commands.ts";

/** The releases with uploaded source code, how to upload one, and the releases reported as live. */
export function SourcesPage(): JSX.Element {
  const sources = useQuery(sourcesQuery);
  return (
    <SettingsPage
      title="Source code"
      lead={
        <>
          Releases whose code was uploaded. Reports quote the file with the mistake, even if it isn't on the stack.{" "}
          <a href="/docs/sources">What is uploaded, and who sees it</a>
        </>
      }
      owners="can remove uploaded code and reported releases"
    >
      <Panel title="Uploaded releases" note="Sizes are compressed. Files that releases share are stored once.">
        <Loaded query={sources} lines={4}>
          {(bundles) => (
            <Rows none="No source code uploaded. Upload it in CI, once for each release, with the command below.">
              {bundles.map((bundle) => (
                <Bundle key={JSON.stringify([bundle.service, bundle.release, bundle.origin])} bundle={bundle} />
              ))}
            </Rows>
          )}
        </Loaded>
      </Panel>
      {sources.data ? <HowToUpload /> : null}
      <ReportedReleases />
    </SettingsPage>
  );
}

function Bundle({ bundle }: { readonly bundle: SourceBundle }): JSX.Element {
  const { isOwner } = useViewer();
  const { service, release, origin, commit, files, bytes, key_id, uploaded_at } = bundle;
  return (
    <Row
      title={
        <>
          {service} <code>{release}</code>
        </>
      }
      facts={[
        `${files.toLocaleString("en")} ${files === 1 ? "file" : "files"}`,
        sizeName(bytes),
        commit === null ? null : <CommitId id={commit.id} />,
        <>
          {origin === "sent" ? "sent by its processes" : "uploaded"} <TimeAgo at={uploaded_at} /> with{" "}
          <KeyName id={key_id} />
        </>,
      ]}
      actions={isOwner ? <Remove service={service} release={release} /> : null}
    />
  );
}

function Remove({ service, release }: Pick<SourceBundle, "service" | "release">): JSX.Element {
  const change = useChange();
  return (
    <ConfirmButton
      label="Remove"
      of={`${service} ${release}`}
      title={`Remove the code of ${service} ${release}?`}
      action={() => change(removeSources(service, release), "Source code removed")}
    >
      <p>
        New reports on this release won't quote files that weren't sent with the error. Reports that quote it stay. To
        get it back, upload it again.
      </p>
    </ConfirmButton>
  );
}

function HowToUpload(): JSX.Element {
  return (
    <Panel
      title="Upload a release"
      note="Run this in the service's folder after the build, with a key that has the scope Release."
    >
      <CodeBlock code={uploadCommands(location.origin)} language="sh" label="Commands that upload a release" />
    </Panel>
  );
}
