import { defineConfig } from "tsup";
import { addServed, program } from "../../packages/tooling/src/tsup.js";

export default defineConfig({ ...program("src/main.ts"), onSuccess: addServed });
