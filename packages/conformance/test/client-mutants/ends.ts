import type { ModelClient } from "../model/model-client.js";
import type { ClientMutant } from "./client-mutant.js";

export const restoreMutants: readonly ClientMutant[] = [
  {
    check: "TKC-RESTORE-01",
    what: "brings a session back with a relative folder",
    alter: (client) => client.call("session/load", (params) => ({ ...params, cwd: "." })),
  },
  {
    check: "TKC-RESTORE-02",
    what: "prompts while its session is brought back",
    also: ["TKC-RESTORE-04", "TKC-RESTORE-07"],
    alter: (client) =>
      client.outgoing((frame) => {
        const prompt = [{ type: "text", text: "hello" }];
        const params = { sessionId: "conf-old", prompt };
        return frame.method === "session/load"
          ? [frame, { jsonrpc: "2.0", id: "early", method: "session/prompt", params }]
          : frame;
      }),
  },
  {
    check: "TKC-RESTORE-03",
    what: "prompts another session than it brought back",
    also: [],
    alter: (client) =>
      client.call("session/prompt", (params) =>
        params.sessionId === "conf-old" ? { ...params, sessionId: "conf-session" } : params,
      ),
  },
  {
    check: "TKC-RESTORE-04",
    what: "stays after the turn of an earlier session",
    alter(client) {
      const quit = client.quit.bind(client);
      client.quit = (code) => (client.task.session !== undefined && code === 0 ? undefined : quit(code));
    },
  },
  {
    check: "TKC-RESTORE-05",
    what: "shows a replay after its turn",
    alter(client) {
      let old = "";
      client.onUpdate(({ update }) => {
        if (update.content?.text === "old-answer\n") old = update.content.text;
        if (update.content?.text === "new-answer\n") setTimeout(() => client.print(old), 0);
      });
      const quit = client.quit.bind(client);
      client.quit = (code) => void setTimeout(() => quit(code), 1);
    },
  },
  {
    check: "TKC-RESTORE-06",
    dialect: "v2",
    what: "needs the marker of a replay",
    alter(client) {
      let isMarked = false;
      client.incoming((frame) => {
        isMarked ||= frame.params?.update?.sessionUpdate === "replay_complete";
        return frame;
      });
      client.outgoing((frame) =>
        frame.method === "session/prompt" && frame.params.sessionId === "conf-old" && !isMarked ? undefined : frame,
      );
    },
  },
  {
    check: "TKC-RESTORE-07",
    what: "prompts a session that is gone",
    alter: (client) =>
      client.incoming((frame) => (frame.error?.code === -32002 ? { jsonrpc: "2.0", id: frame.id, result: {} } : frame)),
  },
  {
    check: "TKC-RESTORE-08",
    what: "loads sessions of any agent",
    alter: (client) =>
      client.incoming((frame) =>
        frame.result?.protocolVersion === 1 && client.task.session !== undefined
          ? { ...frame, result: { ...frame.result, agentCapabilities: { loadSession: true } } }
          : frame,
      ),
  },
];

const isError = (client: ModelClient, code: number, then: () => void) =>
  client.incoming((frame) => {
    if (frame.error?.code === code) then();
    return frame;
  });

/** Ends with the exit code 0 where it should be another one. */
const contentWith = (client: ModelClient) => {
  const quit = client.quit.bind(client);
  client.quit = () => quit(0);
};

export const endMutants: readonly ClientMutant[] = [
  {
    check: "TKC-END-03",
    what: "is content with an agent that dies at its start",
    alter(client) {
      let isOpen = false;
      client.incoming((frame) => {
        isOpen = true;
        return frame;
      });
      client.onAgentEnd = () => void setTimeout(() => client.quit(isOpen ? 1 : 0), 0);
    },
  },
  {
    check: "TKC-END-04",
    what: "is content with an agent that dies in a turn",
    alter(client) {
      let isPrompting = false;
      client.outgoing((frame) => {
        isPrompting ||= frame.method === "session/prompt";
        return frame;
      });
      client.onAgentEnd = () => void setTimeout(() => client.quit(isPrompting ? 0 : 1), 0);
    },
  },
  {
    check: "TKC-END-05",
    what: "does not see that the output of its agent has ended",
    also: [],
    alter(client) {
      const end = client.onAgentEnd;
      client.onAgentEnd = () => {};
      void client.agentGone.then(() => setTimeout(end, 0));
    },
  },
  {
    check: "TKC-END-06",
    what: "opens a session after initialize has failed",
    alter: (client) =>
      client.incoming((frame) =>
        frame.error?.message === "Out of flour" && frame.id === 0
          ? { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } }
          : frame,
      ),
  },
  {
    check: "TKC-END-07",
    what: "prompts after session/new has failed",
    alter: (client) =>
      client.incoming((frame) =>
        frame.error?.message === "Out of flour" && frame.id === 1
          ? { jsonrpc: "2.0", id: 1, result: { sessionId: "conf-session" } }
          : frame,
      ),
  },
  {
    check: "TKC-END-08",
    what: "is content with a prompt that fails",
    alter: (client) => isError(client, -32603, () => contentWith(client)),
  },
  {
    check: "TKC-END-09",
    what: "waits at an error with an unknown code",
    alter: (client) => client.incoming((frame) => (frame.error?.code === 418 ? undefined : frame)),
  },
  {
    check: "TKC-END-10",
    what: "leaves the agent's stdin open",
    alter(client) {
      client.onQuit = () => {
        client.endTerminals();
        client.agentLeft();
      };
    },
  },
  {
    check: "TKC-END-11",
    what: "leaves an agent behind that does not end",
    alter(client) {
      client.onQuit = () => {
        client.endTerminals();
        client.closeInput();
      };
    },
  },
];
