import "./zod-without-eval.ts";
import "./styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Application } from "./app/application.tsx";
import { applyTheme, chosenTheme } from "./lib/theme.ts";

applyTheme(chosenTheme());

const root = document.getElementById("root");
if (root === null) throw new TypeError("the page has no element for the application");
createRoot(root).render(
  <StrictMode>
    <Application />
  </StrictMode>,
);
