import { connect } from "@turnkit/client";
import { createWebSocketChannel } from "@turnkit/transport/channels";

// A client over the WebSocket that the platform has. Prints what it was told, and how the connection ended, as one line
// of JSON: first when it closed, then when the server did. Its argument is the address of an agent.

const [url = ""] = process.argv.slice(2);
const info = { name: "platform", version: "1.0.0" };
const open = () => connect(createWebSocketChannel(new WebSocket(url)), { info });

const client = await open();
const session = await client.newSession({ cwd: process.cwd() });
await session.prompt("go").ended;
const received = [...session.state.timeline].flatMap((entry) =>
  entry.type === "message" && entry.role === "agent" ? [...entry.content] : [],
);
await client.close();
const other = await open();
await (await other.newSession({ cwd: process.cwd() })).prompt("leave").ended.catch(() => {});
const ends = [(await client.closed).kind, (await other.closed).kind];
const nobody = await connect(createWebSocketChannel(new WebSocket(url.replace("acp", "none"))), { info }).catch(
  (error: { readonly code?: unknown }) => error.code,
);
process.stdout.write(`${JSON.stringify({ received, ends, nobody })}\n`);
