import { type AgentSession, createAgent, type Turn } from "@turnkit/agent";
import { beginTurn } from "./conversation.js";
import { runLoop } from "./loop.js";
import type { ConversationItem } from "./model.js";
import { commands, type Mode, modeOption } from "./modes.js";
import { createEditPermission, type EditPermission } from "./permission.js";
import { reviewer } from "./reviewer.js";
import { tools } from "./tools/tools.js";
import { version } from "./version.js";
import { createWorkspace } from "./workspace.js";

/** What the agent keeps of a session. */
type Talk = { readonly conversation: ConversationItem[]; readonly permission: EditPermission };

/** The agent behind `turnkit-agent`: one loop, one set of tools, and for now one model, the offline reviewer. */
export default createAgent<Talk>({
  info: { name: "turnkit-agent", title: "turnkit agent", version },
  accepts: { embeddedContext: true, additionalDirectories: true },

  newSession(_request, session) {
    session.setCommands(commands);
    const permission = createEditPermission(() => modeOf(session));
    return { configOptions: [modeOption], data: { conversation: [], permission } };
  },

  async prompt(turn: Turn<Talk>) {
    const { session } = turn;
    const { conversation, permission } = session.data;
    beginTurn(conversation, turn.prompt);
    const workspace = createWorkspace(session, turn.files);
    return runLoop(turn, { model: reviewer, tools, conversation, context: { workspace, permission } });
  },

  setConfigOption(session) {
    // Whoever answered "always" gets a way back: choosing the mode again.
    session.data.permission.forget();
  },
});

function modeOf(session: AgentSession<Talk>): Mode {
  return session.configValue("mode") === "review" ? "review" : "ask";
}
