import type { ModelClient } from "../model/model-client.js";
import type { Loose } from "../model/model-session.js";
import { type ClientMutant, dyingAt } from "./client-mutant.js";

const CHILD = "conf-child";
const isOutcome = ({ result }: Loose) => result?.outcome !== undefined;

/** Runs something at the moment in which the client cancels. */
const atCancel = (then: (client: ModelClient) => void) => (client: ModelClient) =>
  client.outgoing((frame) => {
    if (frame.method === "session/cancel") then(client);
    return frame;
  });

/** Changes answers to questions after the cancel. `late` are questions that came after it. */
const afterCancel = (late: boolean, change: (frame: Loose) => unknown) => (client: ModelClient) => {
  let isCancelled = false;
  const asked = new Set<unknown>();
  atCancel(() => {
    isCancelled = true;
  })(client);
  client.incoming((frame) => {
    if (frame.method === "session/request_permission" && isCancelled === late) asked.add(frame.id);
    return frame;
  });
  client.outgoing((frame) => (isCancelled && isOutcome(frame) && asked.has(frame.id) ? change(frame) : frame));
};

const granted = (frame: Loose) => ({ ...frame, result: { outcome: { outcome: "selected", optionId: "conf-yes" } } });

const cancelMutants: readonly ClientMutant[] = [
  {
    check: "TKC-CANCEL-01",
    what: "cancels with a request",
    alter: (client) =>
      client.outgoing((frame) => (frame.method === "session/cancel" ? { ...frame, id: "cancel" } : frame)),
  },
  {
    check: "TKC-CANCEL-02",
    what: "ends at its cancel",
    also: ["TKC-CANCEL-03", "TKC-CANCEL-05", "TKC-CANCEL-07"],
    alter(client) {
      const cancel = client.onInterrupt;
      client.onInterrupt = () => {
        cancel();
        client.quit(130);
      };
    },
  },
  {
    check: "TKC-CANCEL-03",
    what: "grants questions after a cancel",
    alter: afterCancel(true, granted),
  },
  {
    check: "TKC-CANCEL-04",
    what: "stays after a cancelled turn",
    also: ["TKC-CANCEL-08"],
    alter: atCancel((client) => {
      const quit = client.quit.bind(client);
      client.quit = (code) => (code === null ? quit(code) : undefined);
    }),
  },
  {
    check: "TKC-CANCEL-05",
    what: "serves no files after a cancel",
    alter: atCancel((client) => client.handlers.delete("fs/read_text_file")),
  },
  {
    check: "TKC-CANCEL-06",
    what: "sends a prompt with its cancel",
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "session/cancel"
          ? [
              frame,
              {
                jsonrpc: "2.0",
                id: "more",
                method: "session/prompt",
                params: { sessionId: "conf-session", prompt: [] },
              },
            ]
          : frame,
      ),
  },
  {
    check: "TKC-CANCEL-07",
    what: "grants an open question at a cancel",
    alter: afterCancel(false, granted),
  },
  {
    check: "TKC-CANCEL-08",
    what: "waits for the stop reason cancelled",
    alter(client) {
      let isCancelled = false;
      atCancel(() => {
        isCancelled = true;
      })(client);
      client.incoming((frame) => (isCancelled && frame.result?.stopReason === "end_turn" ? undefined : frame));
    },
  },
];

const childMutants: readonly ClientMutant[] = [
  {
    check: "TKC-CHILD-01",
    dialect: "v2",
    what: "ends with the idle state of a child",
    alter: dyingAt((frame) => frame.params?.sessionId === CHILD && frame.params.update?.state === "idle"),
  },
  {
    check: "TKC-CHILD-02",
    what: "does not answer questions of a child",
    alter: (client) =>
      client.incoming((frame) => ("id" in frame && frame.params?.sessionId === CHILD ? undefined : frame)),
  },
  {
    check: "TKC-CHILD-03",
    what: "prompts a child",
    alter: (client) =>
      client.incoming((frame) => {
        if (frame.params?.update?.sessionUpdate === "subagent_update")
          client.write({
            jsonrpc: "2.0",
            id: "child",
            method: "session/set_mode",
            params: { sessionId: CHILD, modeId: "ask" },
          });
        return frame;
      }),
  },
  {
    check: "TKC-CHILD-04",
    what: "ends at an update of a child that is not announced",
    alter(client) {
      client.incoming((frame) => {
        const { sessionId, update } = frame.params ?? {};
        if (update && sessionId === CHILD && !client.children.has(CHILD)) client.quit(1);
        return frame;
      });
    },
  },
];

export const turnMutants: readonly ClientMutant[] = [...cancelMutants, ...childMutants];
