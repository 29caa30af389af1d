import { defineConfig } from "tsup";
import { library } from "../tooling/src/tsup.js";

export default defineConfig(
  library("src/client/index.ts", "src/client/browser.ts", "src/server/index.ts", "src/node/index.ts"),
);
