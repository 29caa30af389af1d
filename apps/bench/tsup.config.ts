import { defineConfig } from "tsup";
import { library } from "../../packages/tooling/src/tsup.js";

// The packages stay imports, because users install the packages too.
export default defineConfig({
  ...library(
    "src/main.ts",
    "src/cell.ts",
    "src/agent.ts",
    "src/remote-server.ts",
    "src/profile.ts",
    "src/limits.ts",
    "src/limits/cpu-usage.ts",
  ),
  target: "node20",
  skipNodeModulesBundle: true,
});
