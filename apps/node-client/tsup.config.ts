import { defineConfig } from "tsup";
import { copyPage, program } from "../../packages/tooling/src/tsup.js";

export default defineConfig({ ...program("src/main.ts"), onSuccess: copyPage });
