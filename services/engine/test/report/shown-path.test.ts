import { describe, expect, it } from "vitest";
import { shownPathOf } from "../../src/report/shown-path.ts";
import { SourceText } from "../../src/source/source-text.ts";
import { traced } from "../trace/signals-in.ts";

const code = "def read():\n    raise ValueError\n";
const log = `Traceback (most recent call last):
  File "/srv/harbor/tides/levels/gauge.py", line 2, in poll
    read()
  File "/srv/harbor/tides/levels/reader.py", line 2, in read
    raise ValueError
ValueError
`;

async function shownWith(...names: readonly string[]): Promise<string> {
  const { frames } = await traced(log, {});
  const files = names.map((name) => new SourceText("source_file", name, code));
  return shownPathOf({ frames, files })("/srv/harbor/tides/levels/reader.py");
}

describe("the path of a file that is on the stack", () => {
  it("begins at the folder that the stack's files share", async () => {
    expect(await shownWith()).toBe("reader.py");
  });

  it("begins at the folder that a service is deployed to, whatever its files share below", async () => {
    const shown = async (folder: string): Promise<string> => {
      const { frames } = await traced(log.replaceAll("/srv/harbor/", folder), {});
      return shownPathOf({ frames, files: [] })(`${folder}tides/levels/reader.py`);
    };
    expect(await shown("/app/")).toBe("tides/levels/reader.py");
    expect(await shown("/usr/src/app/")).toBe("tides/levels/reader.py");
    expect(await shown("/home/mara/harbor/")).toBe("reader.py");
  });

  it("begins above, where the service's other files are", async () => {
    expect(await shownWith("/srv/harbor/main.py", "/srv/harbor/tides/__init__.py")).toBe("tides/levels/reader.py");
  });

  it("isn't changed by files that share no folder with it, or that are installed", async () => {
    expect(await shownWith("/opt/batch/main.py")).toBe("reader.py");
    expect(await shownWith("/srv/venv/lib/site-packages/flask/app.py")).toBe("reader.py");
  });

  it("begins where the relative paths on the stack begin", async () => {
    const ruby = (...calls: readonly string[]): string =>
      `/srv/works/plant/steps/quench.rb:11:in 'call': undefined method '-' for nil (NoMethodError)\n${calls.map((call) => `\tfrom ${call}:13:in 'run'\n`).join("")}`;
    const shown = async (text: string): Promise<string> => {
      const { frames } = await traced(text, {});
      return shownPathOf({ frames, files: [] })("/srv/works/plant/steps/quench.rb");
    };
    expect(await shown(ruby("plant/line.rb"))).toBe("plant/steps/quench.rb");
    expect(await shown(ruby("line.rb"))).toBe("quench.rb");
    expect(await shown(ruby("tools/line.rb"))).toBe("quench.rb");
  });

  it("isn't changed by files whose place on the machine isn't known", async () => {
    expect(await shownWith("main.py")).toBe("reader.py");
  });
});
