import { describe, expect, it } from "vitest";
import { browserName } from "../../../src/features/session/browser-name.ts";
import {
  assignedRepositories,
  serviceRepositories,
} from "../../../src/features/settings/integrations/assigned-repositories.ts";
import { isFailing } from "../../../src/features/settings/integrations/integration-state.ts";
import { uploadCommands } from "../../../src/features/settings/sources/upload-commands.ts";

const [earlier, later] = ["2026-03-01T11:00:00.000Z", "2026-03-01T12:00:00.000Z"];

describe("an integration", () => {
  it("is failing when it failed since its last answer", () => {
    const failed = { at: later, reason: "401" };
    expect(isFailing({ failed, answered_at: null })).toBe(true);
    expect(isFailing({ failed, answered_at: earlier })).toBe(true);
    expect(isFailing({ failed: { at: earlier, reason: "401" }, answered_at: later })).toBe(false);
    expect(isFailing({ failed, answered_at: later })).toBe(false);
  });

  it("isn't failing when it never failed", () => {
    expect(isFailing({ failed: null, answered_at: null })).toBe(false);
    expect(isFailing({ failed: null, answered_at: later })).toBe(false);
  });
});

describe("the repositories of services", () => {
  it("are in the order of the services' names, each once", () => {
    expect(serviceRepositories({ b: "acme/b", a: "acme/a" }, ["c", "a"]).map(({ service }) => service)).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("are empty without services", () => {
    expect(serviceRepositories({}, [])).toEqual([]);
  });

  it("are rejected when they are stored in another form", () => {
    expect(() => assignedRepositories({ inputs: { repositories: '["a"]' } })).toThrow();
  });
});

describe("the commands that upload sources", () => {
  it("install the command from the service that shows them, and send to it", () => {
    const [first = "", second = ""] = uploadCommands("https://whence.example").split("\n");
    expect(first).toMatch(/^export WHENCE_URL=https:\/\/whence\.example WHENCE_API_KEY=/);
    expect(second).toMatch(/^npx -y https:\/\/whence\.example\/sdk\/agent\.tgz sources upload /);
  });
});

describe("the browser of a session", () => {
  it("is distinguished from those that its `User-Agent` also names", () => {
    const opera = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/138.0 Safari/537.36 OPR/122.0";
    expect(browserName(opera)).toBe("Opera on a Mac");
    expect(browserName("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")).toBe(
      "Firefox on Android",
    );
    const android = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36";
    expect(browserName(android)).toBe("Chrome on Android");
    expect(browserName("Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Safari/604.1")).toBe(
      "Safari on an iPad",
    );
  });

  it("has no system when none is named", () => {
    expect(browserName("Firefox/140.0")).toBe("Firefox");
    expect(browserName("")).toBe("An unknown browser");
  });
});
