import { serveStdio } from "@turnkit/agent/node";

await serveStdio(() => import("./flooding-agent.js"), { limits: { stateBytes: 8 * 1024 * 1024 } });
