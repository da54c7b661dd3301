import showReference, { type System } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./page.css";

const isOfApplication = new URLSearchParams(location.search).get("of") === "application";

/** Changes what screen readers and keyboards stumble over. */
const accessible = {
  wrapComponents: {
    // Its own is a link inside the button that opens an operation.
    DeepLink:
      (_: string, { React }: System) =>
      ({ text }: { readonly text?: string }) =>
        React.createElement("span", null, text),
    // A heading between the title of the document and those of its parts.
    InfoContainer:
      (Original: string, { React }: System) =>
      (info: object) =>
        React.createElement(
          "div",
          null,
          React.createElement(Original, info),
          React.createElement("h2", { className: "read-aloud" }, "Operations"),
        ),
    // There is one server, this one.
    ServersContainer: () => () => null,
  },
};

/** What is beside the operations, which are the main part. */
const parts = [
  [".information-container", "About the API"],
  [".scheme-container", "Authorization"],
  [".models", "Schemas"],
] as const;

/** Makes the parts landmarks, as the main part is. */
function nameParts(): void {
  for (const [selector, name] of parts) {
    const part = document.querySelector(selector);
    part?.setAttribute("role", "region");
    part?.setAttribute("aria-label", name);
  }
}

showReference({
  dom_id: "#reference",
  url: isOfApplication ? "/openapi.application.json" : "/openapi.json",
  // The default would send the document to a third-party validator.
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  plugins: [accessible],
  onComplete: nameParts,
});
