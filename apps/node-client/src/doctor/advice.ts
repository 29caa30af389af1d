/** Returns what an author can do about the failure of a check, beyond its title. */
export function adviceFor(id: string): string | undefined {
  return Object.hasOwn(advice, id) ? advice[id] : undefined;
}

const cancel = "After session/cancel, stop the model and the tools, and end the turn with the stop reason cancelled.";
const schema = "Validate your messages with the protocol's schema; turnkit trace show --full shows a whole message.";
const restore =
  "Answer with the error -32002. Otherwise a person continues in an empty session, and believes that it is the old session.";

export const advice: Readonly<Record<string, string>> = {
  "ACP-TRANSPORT-001":
    "Write all logs to stderr, including logs of libraries. Some clients close the connection at such a line.",
  "ACP-INIT-001":
    "Answer initialize with an integer: the client's version if you support it, otherwise the newest version that you support.",
  "ACP-INIT-004": "Send agentInfo with name and version, because clients show it.",
  "ACP-INIT-203": "Send info with name and version, because clients show it.",
  "ACP-JSONRPC-003": "Do not answer notifications, not even those that you do not know.",
  "ACP-JSONRPC-004": "With this error, clients find out which methods you support.",
  "TK-JSONRPC-06": "Answer each request once, with an id of the same value and type.",
  "TK-JSONRPC-07": "Answer each request once, with an id of the same value and type.",
  "ACP-SHUTDOWN-001":
    "The end of stdin is the end of the connection. Stop all work, and exit. Otherwise the process stays when the editor ends.",
  "ACP-SCHEMA-001": schema,
  "TK-SCHEMA-02": schema,
  "TK-SCHEMA-03": schema,
  "ACP-ENUM-202": "Clients drop unknown updates. Put extensions into _meta, or into your own notifications (_name).",
  "TK-TOOL-02": "Announce a tool call once, and change it with tool_call_update.",
  "TK-TOOL-03":
    "Send completed or failed for every call before the turn ends. Otherwise clients show the call as running forever.",
  "ACP-CANCEL-001": cancel,
  "ACP-CANCEL-201": cancel,
  "ACP-CANCEL-002":
    "Wait until all updates of a turn are written before you answer session/prompt, because clients ignore later updates.",
  "ACP-LOAD-001": "Send the messages of the session before the answer, or do not announce the capability.",
  "TK-LOAD-04": "Send the messages of the session before the answer, or do not announce the capability.",
  "TK-LOAD-06": restore,
  "TK-RESUME-07": restore,
  "TK-RESUME-03": "Send replay_complete once: after the history, before the answer.",
  "TK-IDEM-01":
    "Store the key with the message. Answer a further attempt with the id of that message, and begin no work.",
  "TK-CHILD-01":
    "Send subagent_update on the session of the parent first. Clients hold or drop messages of unknown sessions.",
};
