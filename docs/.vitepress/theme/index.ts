// The reader's system fonts, so that no page waits for a font.
import theme from "vitepress/theme-without-fonts";
import "./highlighting.css";
import "./layout.css";

export default theme;
