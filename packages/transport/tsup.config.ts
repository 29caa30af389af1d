import { defineConfig } from "tsup";
import { library } from "../tooling/src/tsup.js";

export default defineConfig(library("src/index.ts", "src/channels.ts", "src/trace.ts", "src/node/index.ts"));
