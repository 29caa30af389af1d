import { answering, type ClientMutant, dyingAt } from "./client-mutant.js";

const refusal = (method: string, error: object | undefined) => (client: Parameters<ClientMutant["alter"]>[0]) =>
  client.incoming((frame) => {
    if (frame.method !== method || !("id" in frame)) return frame;
    if (error !== undefined) client.write({ jsonrpc: "2.0", id: frame.id, error });
    return undefined;
  });

export const requestMutants: readonly ClientMutant[] = [
  {
    check: "TKC-RPC-01",
    what: "answers unknown extensions with an internal error",
    alter: refusal("_turnkit/unknown", { code: -32603, message: "Internal error" }),
  },
  { check: "TKC-RPC-02", what: "drops unknown methods", alter: refusal("turnkit/unlisted", undefined) },
  {
    check: "TKC-RPC-03",
    what: "answers with ids as texts",
    alter: answering(
      ({ id }) => id === -7,
      (frame) => ({ ...frame, id: String(frame.id) }),
    ),
  },
  {
    check: "TKC-RPC-04",
    what: "answers unknown notifications",
    alter: (client) =>
      client.incoming((frame) => {
        if (frame.method === "turnkit/unlisted" && !("id" in frame))
          client.write({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "Method not found" } });
        return frame;
      }),
  },
  {
    check: "TKC-RPC-05",
    what: "ends at an unknown notification",
    alter: dyingAt((frame) => frame.method === "_turnkit/note"),
  },
  {
    check: "TKC-RPC-06",
    what: "ends at an answer to nothing",
    alter: dyingAt((frame) => frame.id === "conf-nobody" && "result" in frame),
  },
  {
    check: "TKC-RPC-07",
    what: "takes the second answer",
    alter(client) {
      client.incoming((frame) => {
        if (frame.result?.sessionId === "conf-second")
          client.outgoing((one) =>
            one.method === "session/prompt" ? { ...one, params: { ...one.params, sessionId: "conf-second" } } : one,
          );
        return frame;
      });
      const { receive } = client;
      client.receive = (frame) => void setTimeout(() => receive.call(client, frame), 0);
    },
  },
  {
    check: "TKC-RPC-08",
    what: "answers wrong params with an internal error",
    alter: answering(
      ({ error }) => error?.code === -32602,
      (frame) => ({ ...frame, error: { code: -32603, message: "Internal error" } }),
    ),
    also: ["TKC-FORM-03", "TKC-FORM-05", "TKC-RPC-09"],
  },
  {
    check: "TKC-RPC-09",
    what: "drops requests with a list of params",
    alter: (client) => client.incoming((frame) => (Array.isArray(frame.params) ? undefined : frame)),
  },
  {
    check: "TKC-RPC-10",
    what: "drops batches",
    alter(client) {
      client.refuse = () => {};
    },
  },
  {
    check: "TKC-RPC-11",
    what: "answers a withdrawal of nothing",
    alter: (client) =>
      client.incoming((frame) => {
        if (frame.params?.requestId === "conf-nobody")
          client.write({ jsonrpc: "2.0", id: null, error: { code: -32602, message: "No such request" } });
        return frame;
      }),
  },
  {
    check: "TKC-RPC-12",
    what: "drops a question that is withdrawn",
    alter(client) {
      const withdrawn = new Set<unknown>();
      client.incoming((frame) => {
        if (frame.method === "$/cancel_request") withdrawn.add(frame.params.requestId);
        return frame;
      });
      client.outgoing((frame) => (!("method" in frame) && withdrawn.has(frame.id) ? undefined : frame));
    },
  },
];
