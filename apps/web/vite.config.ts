import { defineConfig } from "vite";

/** Static files with relative addresses, so that a server may put the page at any path. */
export default defineConfig({
  base: "./",
  resolve: { conditions: ["@turnkit/source", "module", "browser", "development|production"] },
  build: {
    target: "es2022",
    // Every browser of the target preloads modules itself.
    modulePreload: { polyfill: false },
    // A small picture or style must stay a file: the policy of the page allows nothing inside of another file.
    assetsInlineLimit: 0,
  },
});
