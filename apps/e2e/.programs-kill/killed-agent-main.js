import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);
import {
  serveStdio
} from "./chunk-YPJTOFXJ.js";

// apps/e2e/src/keyed-kill/killed-agent-main.ts
await serveStdio(() => import("./agent-6IDV7RJT.js"));
