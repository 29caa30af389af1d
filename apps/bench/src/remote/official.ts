import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } from "@agentclientprotocol/sdk/experimental/node";
import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { createWebSocketStream, type WebSocketConstructor } from "@agentclientprotocol/sdk/experimental/ws-client";
import { WebSocket, WebSocketServer } from "ws";
import { agent, connectOver } from "../wire/official-v1.js";
import type { Remote } from "./remote.js";

export const official: Remote = {
  async serve() {
    const acp = new AcpServer({ createAgent: agent });
    const server = createServer(createNodeHttpHandler(acp));
    server.on("upgrade", createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  },
  connect(port, profile) {
    const stream =
      profile === "SSE"
        ? createHttpStream(`http://127.0.0.1:${port}/acp`)
        : createWebSocketStream(`ws://127.0.0.1:${port}/acp`, {
            WebSocket: WebSocket as unknown as WebSocketConstructor,
          });
    return connectOver(stream, () => void stream.writable.close().catch(() => {}));
  },
};
