// Loaded before the first line of every Node program that a test starts, see roll-call.ts: says "here" and goes on when
// it was heard. The connection lasts as long as the process.
import { connect } from "node:net";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const command = [...process.execArgv, ...process.argv.slice(1)].join(" ");
  const socket = connect(process.env.ROLL_CALL);
  await new Promise((resolve) => {
    socket.on("error", resolve);
    socket.once("data", resolve);
    socket.write(`${JSON.stringify({ pid: process.pid, cwd: process.cwd(), command })}\n`);
  });
  socket.unref();
}
