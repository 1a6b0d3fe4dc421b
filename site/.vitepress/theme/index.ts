/** VitePress's own theme, with enough contrast in the names of languages, and a search button that is named by what is written on it. */
import DefaultTheme from "vitepress/theme";
import "./style.css";

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it.
export default DefaultTheme;
