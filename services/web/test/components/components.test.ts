import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Choices } from "../../src/components/choices.tsx";
import { ExternalLink } from "../../src/components/external-link.tsx";
import { Field } from "../../src/components/field.tsx";
import { Problem } from "../../src/components/problem.tsx";
import { Row, Rows } from "../../src/components/rows.tsx";
import { Select } from "../../src/components/select.tsx";
import { ApiError } from "../../src/lib/api-client.ts";
import { shownText } from "../shown-text.ts";

describe("a field", () => {
  const markup = (props: object) =>
    renderToStaticMarkup(createElement(Field, { label: "Name", name: "name", ...props }));
  const idOf = (text: string, pattern: RegExp) => pattern.exec(text)?.[1];

  it("is associated with its label", () => {
    const text = markup({});
    expect(idOf(text, /<label for="([^"]+)"/)).toBe(idOf(text, /<input[^>]* id="([^"]+)"/));
    expect(text).not.toContain("aria-invalid");
    expect(text).not.toContain("aria-describedby");
  });

  it("is described by its problem and its hint, and is invalid with a problem", () => {
    const text = markup({ hint: "Short", problem: "Too long." });
    const described = /aria-describedby="([^"]+)"/.exec(text)?.[1]?.split(" ") ?? [];
    expect(described).toHaveLength(2);
    for (const id of described) expect(text).toContain(`id="${id}"`);
    expect(text).toContain('aria-invalid="true"');
    expect(shownText(createElement(Field, { label: "Name", name: "name", problem: "Too long." }))).toContain(
      "Too long.",
    );
  });
});

describe("a choice of any number of options", () => {
  const options = [
    { value: "a", name: "First" },
    { value: "b", name: "Second" },
  ];

  it("has a checkbox for each option, with the chosen ones checked", () => {
    const text = renderToStaticMarkup(
      createElement(Choices, { label: "When", name: "events", options, chosen: ["b"] }),
    );
    expect([...text.matchAll(/name="([^"]+)"/g)].map(([, name]) => name)).toEqual(["events.a", "events.b"]);
    expect([...text.matchAll(/checked=""/g)]).toHaveLength(1);
    expect(text).toMatch(/name="events\.b" checked=""|checked="" name="events\.b"/);
  });

  it("shows its problem where it is announced with it", () => {
    const problem = "Choose at least one.";
    const text = renderToStaticMarkup(
      createElement(Choices, { label: "When", name: "e", options, chosen: [], problem }),
    );
    const id = /<fieldset[^>]* aria-describedby="([^"]+)"/.exec(text)?.[1];
    expect(text).toContain(`<p id="${id}"`);
    expect(text).toContain(problem);
  });
});

describe("a selection", () => {
  it("has each option by its value and name", () => {
    const options = [{ value: "low", name: "Any" }];
    const text = renderToStaticMarkup(createElement(Select, { label: "Severity", name: "s", options }));
    expect(text).toContain('<option value="low">Any</option>');
  });
});

describe("rows", () => {
  const row = (props: object) => createElement(Row, { title: "Key", key: "a", ...props });

  it("show the given text when empty", () => {
    expect(shownText(createElement(Rows, { none: "No keys yet.", children: [] }))).toBe("No keys yet.");
    expect(shownText(createElement(Rows, { none: "No keys yet.", children: [row({})] }))).toBe("Key");
  });

  it("leave out empty facts", () => {
    const facts = ["full", null, undefined, "", "never used"];
    const text = renderToStaticMarkup(row({ facts }));
    expect([...text.matchAll(/<span>/g)]).toHaveLength(2);
    expect(renderToStaticMarkup(row({ facts: [null] }))).not.toContain("<span>");
  });

  it("look different when they are in the past", () => {
    const classOf = (text: string) => /<li class="([^"]+)"/.exec(text)?.[1];
    expect(classOf(renderToStaticMarkup(row({ isPast: true })))).not.toBe(classOf(renderToStaticMarkup(row({}))));
  });
});

describe("a problem", () => {
  it("is shown in the service's words, with its code and the request's ID in the log", () => {
    const error = new ApiError("The name is taken.", { status: 409, code: "WHENCE_ERR_TAKEN", requestId: "req_1" });
    expect(shownText(createElement(Problem, { error }))).toBe("The name is taken. WHENCE_ERR_TAKEN · request req_1");
  });

  it("is shown for any error, and for any other value", () => {
    expect(shownText(createElement(Problem, { error: new TypeError("a is undefined") }))).toBe("a is undefined");
    expect(shownText(createElement(Problem, { error: "gone" }))).toBe("gone");
  });

  it("offers a retry where that can help", () => {
    expect(shownText(createElement(Problem, { error: "gone", retry: () => undefined }))).toBe("gone Try again");
  });

  it("is announced at once", () => {
    expect(renderToStaticMarkup(createElement(Problem, { error: "gone" }))).toMatch(/^<div role="alert"/);
  });
});

describe("a link to another site", () => {
  it("sends no referrer", () => {
    const text = renderToStaticMarkup(createElement(ExternalLink, { href: "https://example.com/", children: "a" }));
    expect(text).toMatch(/rel="[^"]*noreferrer[^"]*"/);
  });

  it("is text when it isn't a web address", () => {
    for (const href of ["javascript:alert(1)", "data:text/html,a", "not an address"]) {
      expect(renderToStaticMarkup(createElement(ExternalLink, { href, children: "a" }))).not.toContain("href");
    }
  });
});
