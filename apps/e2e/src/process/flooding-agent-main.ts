import { serveStdio } from "@turnkit/agent/node";

// Its argument is the bound of the state of a session.
await serveStdio(() => import("./flooding-agent.js"), { limits: { stateBytes: Number(process.argv[2]) } });
