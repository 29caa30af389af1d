import { defineConfig } from "tsup";
import { program } from "../../packages/tooling/src/tsup.js";

export default defineConfig(program("src/main.ts", "src/turnkit.ts"));
