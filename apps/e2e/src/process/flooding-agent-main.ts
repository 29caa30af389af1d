import { serveStdio } from "@turnkit/agent/node";

// Its argument is the bound of the state of a session, if not the default.
const stateBytes = process.argv[2];
await serveStdio(() => import("./flooding-agent.js"), {
  limits: stateBytes ? { stateBytes: Number(stateBytes) } : {},
});
