import { serveStdio } from "@turnkit/agent/node";

await serveStdio(() => import("./agent.js"));
