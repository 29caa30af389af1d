// A gateway on JetStream, with its agent. It prints its port. Arguments: address of the broker, time of an ownership in
// milliseconds, file in which the agent writes each prompt that it runs.
import { appendFileSync } from "node:fs";
import { connect } from "@nats-io/transport-node";
import { createAgent } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { createGateway } from "@turnkit/gateway";
import { createJetStreamEngine } from "@turnkit/gateway/jetstream";
import { listen } from "@turnkit/remote/node";
import { createRemoteServer } from "@turnkit/remote/server";
import { createMemoryPair } from "@turnkit/transport/channels";
import { PIECES, pieceOf, promptText } from "../gateway-kill/pieces.js";

const [, , servers = "", ttl = "", ran = "", replicas = "1"] = process.argv;

const agent = createAgent({
  info: { name: "killed-agent", version: "1.0.0" },
  log: createFileLog(`${ran}-sessions`),
  async prompt(turn) {
    const name = promptText(turn.prompt);
    appendFileSync(ran, `${name}\n`);
    for (let piece = 0; piece < PIECES; piece += 1) await turn.say(pieceOf(name, piece));
  },
});

const connection = await connect({
  servers: servers.split(","),
  maxReconnectAttempts: -1,
  reconnectTimeWait: 50,
  waitOnFirstConnect: true,
  // Other addresses of the cluster would lead past the proxies.
  ignoreClusterUpdates: true,
});
const options = { ttlMs: Number(ttl), replicas: Number(replicas), streamCount: 1, snapshotEvents: 100 };
const engine = createJetStreamEngine(connection, options);
const gateway = createGateway({
  agent() {
    const [ours, theirs] = createMemoryPair();
    agent.serve(theirs);
    return ours;
  },
  log: () => engine,
  onDiagnostic: ({ code, message }) => process.stderr.write(`${code}: ${message}\n`),
});
const server = createRemoteServer({
  open: () => gateway.open({ id: "someone", group: "all" }),
  authorize: () => ({ id: "someone" }),
});
const { port } = await listen(server, { path: "/acp" });
process.once("SIGTERM", async () => {
  await gateway.close();
  await connection.close();
  process.exit(0);
});
await engine.ready();
process.stdout.write(`${port}\n`);
