import { createAgent } from "@turnkit/agent";
import { createFileLog } from "@turnkit/agent/node";
import { PIECES, pieceOf, promptText } from "./pieces.js";

const [, , folder = ""] = process.argv;

/** Agent that says where it runs, then all pieces of its answer. It stores its sessions in the folder of its argument. */
export default createAgent({
  info: { name: "killed-agent", version: "1.0.0" },
  log: createFileLog(folder),
  async prompt(turn) {
    await turn.session.emit({ type: "session_info_update", title: `pid ${process.pid}` });
    const name = promptText(turn.prompt);
    for (let piece = 0; piece < PIECES; piece += 1) await turn.say(pieceOf(name, piece));
  },
});
