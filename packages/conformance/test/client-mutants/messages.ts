import { answering, type ClientMutant } from "./client-mutant.js";

const prompt = (change: (text: string) => string | readonly string[]) => ({
  alter: (client: Parameters<ClientMutant["alter"]>[0]) =>
    client.outgoing((frame) => (frame.method === "session/prompt" ? change(JSON.stringify(frame)) : frame)),
});

export const messageMutants: readonly ClientMutant[] = [
  { check: "TKC-MSG-01", what: "writes a log line to its agent", ...prompt((text) => ["sending\n", `${text}\n`]) },
  {
    check: "TKC-MSG-02",
    what: "adds a batch",
    ...prompt((text) => ['[{"jsonrpc":"2.0","method":"$/x"}]\n', `${text}\n`]),
  },
  {
    check: "TKC-MSG-03",
    what: "leaves out jsonrpc",
    ...prompt((text) => `${text.replace('"jsonrpc":"2.0",', "")}\n`),
  },
  {
    check: "TKC-MSG-04",
    what: "writes Latin-1",
    alter: (client) =>
      client.outgoing((frame) => {
        if (frame.method !== "session/prompt") return frame;
        client.bytes(
          Uint8Array.from(`{"jsonrpc":"2.0","method":"_x","params":{"a":"\u00e9"}}\n`, (one) => one.charCodeAt(0)),
        );
        return frame;
      }),
  },
  {
    check: "TKC-MSG-05",
    what: "uses an id again",
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "session/prompt"
          ? [{ jsonrpc: "2.0", id: frame.id - 1, method: "_again", params: {} }, frame]
          : frame,
      ),
  },
  {
    check: "TKC-MSG-06",
    what: "writes an error and a result",
    alter: answering(
      ({ error }) => error?.code === -32602,
      (frame) => ({ ...frame, result: {} }),
    ),
  },
  {
    check: "TKC-MSG-07",
    what: "writes an error without a message",
    alter: answering(
      ({ error }) => error?.code === -32601,
      ({ error, ...frame }) => ({ ...frame, error: { code: error.code } }),
    ),
  },
  {
    check: "TKC-MSG-08",
    what: "answers permission questions twice",
    also: ["TKC-RPC-12"],
    alter: answering(
      ({ result }) => result?.outcome !== undefined,
      (frame) => [frame, frame],
    ),
  },
  {
    check: "TKC-MSG-09",
    what: "sends the prompt as a text",
    alter: (client) => client.call("session/prompt", (params) => ({ ...params, prompt: [{ type: "text", text: 7 }] })),
  },
  {
    check: "TKC-MSG-10",
    what: "adds a member of its own to a prompt",
    alter: (client) => client.call("session/prompt", (params) => ({ ...params, modelClientTrace: 1 })),
  },
  {
    check: "TKC-MSG-11",
    what: "tells a method of its own without an underscore",
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "session/prompt" ? [{ jsonrpc: "2.0", method: "client/ready", params: {} }, frame] : frame,
      ),
  },
  {
    check: "TKC-MSG-12",
    what: "sends params as a list",
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "session/prompt" ? [{ jsonrpc: "2.0", method: "_ready", params: [1] }, frame] : frame,
      ),
  },
  {
    check: "TKC-MSG-13",
    what: "cancels a session of an earlier day",
    also: ["TKC-CANCEL-01", "TKC-CANCEL-06"],
    alter: (client) =>
      client.outgoing((frame) =>
        frame.method === "session/prompt"
          ? [{ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "old-session" } }, frame]
          : frame,
      ),
  },
];
