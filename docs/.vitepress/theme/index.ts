// The fonts of the reader's system, so that no page waits for one.
import theme from "vitepress/theme-without-fonts";
import "./highlighting.css";
import "./layout.css";

export default theme;
