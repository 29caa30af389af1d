import type { ModelClient } from "../model/model-client.js";
import { type ClientMutant, dyingAt } from "./client-mutant.js";

/** Replaces how the client reads its lines. */
const reading =
  (change: (line: string, read: (line: string) => void, client: ModelClient) => void) => (client: ModelClient) => {
    const read = client.readLine.bind(client);
    client.readLine = (line) => change(line, read, client);
  };

export const lineMutants: readonly ClientMutant[] = [
  {
    check: "TKC-LINE-01",
    what: "reads each piece as text of its own",
    alter(client) {
      client.readBytes = (bytes) => new TextEncoder().encode(new TextDecoder().decode(bytes));
    },
  },
  {
    check: "TKC-LINE-02",
    what: "reads at most 50 lines of a write",
    alter(client) {
      client.linesOfWrite = 50;
    },
  },
  {
    check: "TKC-LINE-03",
    what: "ends at a line that is no JSON",
    alter: reading((line, read, client) => (/^(Loading|.*"method":$)/.test(line) ? client.quit(1) : read(line))),
  },
  {
    check: "TKC-LINE-04",
    what: "ends at a blank line",
    alter: reading((line, read, client) => (line.trim() === "" ? client.quit(1) : read(line))),
  },
  {
    check: "TKC-LINE-05",
    what: "ends at a line of 1 MiB",
    alter: reading((line, read, client) => (line.length > 1 << 20 ? client.quit(1) : read(line))),
  },
  {
    check: "TKC-LINE-06",
    what: "ends at a deep value",
    alter: reading((line, read, client) => (line.includes('{"in":'.repeat(200)) ? client.quit(1) : read(line))),
  },
  {
    check: "TKC-LINE-07",
    what: "forgets what comes after 1000 texts",
    alter(client) {
      let count = 0;
      client.incoming((frame) => {
        if (frame.params?.update?.sessionUpdate === "agent_message_chunk") count += 1;
        return count > 1000 && frame.method === "session/update" && frame.params.update.content ? undefined : frame;
      });
    },
  },
  {
    check: "TKC-LINE-08",
    what: "ends a line at every separator of Unicode",
    alter: reading((line, read) => {
      for (const part of line.split(/[\u2028\u2029\u0085]/)) read(part);
    }),
  },
  {
    check: "TKC-LINE-09",
    what: "stops at a flood on stderr",
    alter(client) {
      client.onComplaint = () => client.quit(1);
    },
  },
  {
    check: "TKC-LINE-10",
    what: "drops a last line without an end",
    alter(client) {
      client.readsUnended = false;
    },
  },
];

export const orderMutants: readonly ClientMutant[] = [
  {
    check: "TKC-ORDER-01",
    what: "shows a text later than the next",
    alter(client) {
      let held = "";
      const { print } = client;
      client.print = (text) => {
        if (/^(alpha|many-0\.)/.test(text)) held = text;
        else {
          print.call(client, text + held);
          held = "";
        }
      };
    },
  },
  {
    check: "TKC-ORDER-02",
    what: "shows a text with the next message",
    alter(client) {
      const { print } = client;
      client.print = (text) => (text.startsWith("omega") ? undefined : print.call(client, text));
    },
  },
  {
    check: "TKC-ORDER-03",
    what: "ends at an update before its session is known",
    also: ["TKC-RESTORE-03"],
    alter(client) {
      let isOpen = false;
      client.incoming((frame) => {
        if (frame.method === "session/update" && !isOpen) client.quit(1);
        isOpen ||= frame.result?.sessionId !== undefined;
        return frame;
      });
    },
  },
  {
    check: "TKC-ORDER-04",
    what: "ends at an update before its prompt",
    also: ["TKC-ORDER-03", "TKC-RESTORE-03"],
    alter(client) {
      let isSent = false;
      client.outgoing((frame) => {
        isSent ||= frame.method === "session/prompt";
        return frame;
      });
      client.incoming((frame) => {
        if (frame.method === "session/update" && !isSent) client.quit(1);
        return frame;
      });
    },
  },
  {
    check: "TKC-ORDER-05",
    what: "fails at an update after its turn",
    alter(client) {
      const quit = client.quit.bind(client);
      let isLate = false;
      client.incoming((frame) => {
        isLate ||= frame.params?.update?.content?.text === "too-late\n";
        return frame;
      });
      client.quit = (code) => void setTimeout(() => quit(isLate ? 1 : code), 2);
    },
  },
  {
    check: "TKC-ORDER-06",
    dialect: "v2",
    what: "ends with the answer to its prompt",
    also: [
      "TKC-CHILD-01",
      "TKC-CHILD-02",
      "TKC-END-04",
      "TKC-LINE-01",
      "TKC-PERM-01",
      "TKC-PERM-02",
      "TKC-PERM-03",
      "TKC-PERM-04",
      "TKC-PERM-05",
      "TKC-PERM-08",
      "TKC-PERM-09",
      "TKC-SLOW-01",
    ],
    alter: (client) =>
      client.incoming((frame) => {
        if (frame.result?.messageId === "conf-user") setTimeout(() => client.quit(0), 0);
        return frame;
      }),
  },
  {
    check: "TKC-ORDER-07",
    dialect: "v2",
    what: "shows nothing after the answer to its prompt",
    alter(client) {
      const { print } = client;
      client.print = (text) => (text.startsWith("after-answer") ? undefined : print.call(client, text));
    },
  },
  {
    check: "TKC-ORDER-08",
    dialect: "v2",
    what: "ends with the idle state of any session",
    alter: dyingAt((frame) => frame.params?.sessionId === "conf-other"),
  },
  {
    check: "TKC-ORDER-09",
    dialect: "seed",
    what: "ends with an idle state",
    alter: dyingAt((frame) => frame.params?.update?.state === "idle"),
  },
  {
    check: "TKC-ORDER-10",
    dialect: "v2",
    what: "ends with any state but running",
    alter: dyingAt((frame) => frame.params?.update?.state === "requires_action"),
  },
  {
    check: "TKC-ORDER-11",
    what: "ends at an unknown tool call",
    alter: dyingAt((frame) => frame.params?.update?.toolCallId === "conf-unseen"),
  },
  {
    check: "TKC-ORDER-12",
    what: "ends at an update of an unknown session",
    also: ["TKC-ORDER-13"],
    alter: dyingAt((frame) => frame.method === "session/update" && frame.params.sessionId === "conf-nobody"),
  },
  {
    check: "TKC-ORDER-13",
    what: "shows texts of all sessions",
    alter: (client) =>
      client.incoming((frame) =>
        frame.params?.sessionId === "conf-nobody" && frame.method === "session/update"
          ? { ...frame, params: { ...frame.params, sessionId: "conf-session" } }
          : frame,
      ),
  },
];
