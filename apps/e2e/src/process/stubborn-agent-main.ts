import { serveStdio } from "@turnkit/agent/node";

await serveStdio(() => import("./stubborn-agent.js"));
