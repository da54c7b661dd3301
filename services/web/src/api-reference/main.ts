import showReference from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./page.css";

const isOfApplication = new URLSearchParams(location.search).get("of") === "application";

showReference({
  dom_id: "#reference",
  url: isOfApplication ? "/openapi.application.json" : "/openapi.json",
  // The default would send the document to a third-party validator.
  validatorUrl: null,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
});
