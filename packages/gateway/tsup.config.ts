import { defineConfig } from "tsup";
import { library } from "../tooling/src/tsup.js";

export default defineConfig(library("src/index.ts", "src/jetstream/index.ts", "src/node/index.ts"));
