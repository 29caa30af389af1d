// Server of a cell over HTTP and WebSocket: `remote-server.js NAME` prints its port, and its memory after each line of
// input.
import { createInterface } from "node:readline";
import { type RemoteName, remotes } from "./remote/remotes.js";

const remote = await remotes[process.argv[2] as RemoteName]();
process.stdout.write(`${await remote.serve()}\n`);
for await (const _ of createInterface({ input: process.stdin })) {
  global.gc?.();
  process.stdout.write(`${process.memoryUsage().rss}\n`);
}
process.exit();
