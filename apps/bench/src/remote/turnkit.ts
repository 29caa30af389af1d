import { connectWith, v1Dialect } from "@turnkit/client";
import { openRemote } from "@turnkit/remote/client";
import { listen } from "@turnkit/remote/node";
import { createRemoteServer } from "@turnkit/remote/server";
import { WebSocket } from "ws";
import { agent, connected } from "../wire/turnkit.js";
import type { Remote } from "./remote.js";

export const turnkit: Remote = {
  async serve() {
    return (await listen(createRemoteServer({ agent }), { path: "/acp" })).port;
  },
  async connect(port, profile) {
    const channel = await openRemote(`${profile === "SSE" ? "http" : "ws"}://127.0.0.1:${port}/acp`, {
      webSocket: (url, { headers, protocols }) => new WebSocket(url, [...protocols], { headers }),
    });
    return connected(await connectWith([v1Dialect], channel, { info: { name: "bench", version: "1.0.0" } }));
  },
};
