// Sizes of the built entries after a bundler: minified and zipped, with all imports that `ignore` does not name.
//
// - A limit without a remark is the project's bar.
// - `bar: …` marks an entry above its bar. Its limit is the size that it has reached, and up to 3 % more. `no bar` means that
//   only the reached size counts.
// - If an entry becomes smaller, lower its limit. Before you raise a limit, look for code to remove. The commit that raises it says
//   what the bytes are for, so the history of this file has the reasons.
//
// Most of the size above the bars comes from these parts. Sizes are rough, in kB, as measured when a part was added:
//
// | part                                                        | client | agent | others                             |
// | ----------------------------------------------------------- | ------ | ----- | ---------------------------------- |
// | errors and reports for mistakes of callers                  | 4      | 6     | transport 1, remote 0.5            |
// | child sessions, keys of prompts, retries and lost answers   | 3      | 6     | session 1.5                        |
// | updates and ends of turns that are never lost               | 6      | 10    | transport 1.5, session 1           |
// | stored data and restores                                    | 0.5    | 3     |                                    |
// | zod                                                         | 1.7    | 1.7   | everything that reads with schema  |
// | rules for command lines, redaction                          |        |       | broker 6, transport 1              |
const entry = (name, what, path, limit, names) => ({
  name: `${name}: ${what}`,
  path: `../${name}/dist/${path}`,
  limit,
  gzip: true,
  import: names === undefined ? "*" : `{ ${names.join(", ")} }`,
  // Chunks of side-effect-free packages are imported for nothing at times; the warning about it is for their authors.
  modifyEsbuildConfig: (config) => ({ ...config, format: "esm", target: "es2022", logLevel: "error" }),
});

const root = "index.js";

export default [
  entry("client", "all dialects", root, "60.7 kB", ["connect"]), // bar: 42 kB
  entry("client", "version 1 alone", root, "55.8 kB", ["connectWith", "v1Dialect"]), // bar: 38 kB
  entry("client", "version 2 alone", root, "55.3 kB", ["connectWith", "v2Dialect"]), // bar: 38 kB
  entry("client", "everything of the broker", "broker/index.js", "30 kB"), // no bar
  entry("client", "one constant", root, "0.5 kB", ["isRpcError"]),
  entry("agent", "all dialects", root, "84.2 kB", ["createAgent"]), // bar: 50 kB
  entry("agent", "version 1 alone", root, "77.6 kB", ["createAgentWith", "v1Dialect"]), // bar: 45 kB
  entry("agent", "version 2 alone", root, "73.8 kB", ["createAgentWith", "v2Dialect"]),
  entry("agent", "one constant", root, "0.5 kB", ["MAX_TITLE_LENGTH"]),
  entry("session", "everything of the root", root, "20.3 kB"),
  entry("session", "reducer and the decoder of version 1", root, "13.4 kB", [
    "reduce",
    "createSessionState",
    "decodeV1",
  ]), // bar: 6 kB
  entry("session", "one constant", root, "0.5 kB", ["DEFAULT_PLAN_ID"]),
  entry("session", "one function of the codecs", "codec/index.js", "0.5 kB", ["settingCall"]),
  entry("transport", "everything of the root", root, "11 kB"),
  entry("transport", "one constant", root, "0.5 kB", ["rpcErrorCode"]),
  {
    ...entry("remote", "everything of clients, over transport", "client/index.js", "14 kB"),
    ignore: ["@turnkit/transport"],
  },
  {
    // Without the store of cookies. HTTP takes 9.3 kB, and error messages 1.1 kB.
    ...entry("remote", "openRemote in a page, over transport", "client/browser.js", "13 kB", ["openRemote"]), // bar: 9 kB
    ignore: ["@turnkit/transport"],
  },
  {
    // Ownership, log, snapshots, and channels between gateways. No bar: the engine runs only on servers.
    ...entry("gateway", "an engine on JetStream, over NATS and turnkit", "jetstream/index.js", "11.6 kB"),
    ignore: ["@nats-io/jetstream", "@nats-io/kv", "@nats-io/transport-node", "@turnkit/agent", "@turnkit/transport"],
  },
  {
    ...entry("react", "every hook, over react and turnkit", root, "3 kB"),
    ignore: ["react", "@turnkit/client", "@turnkit/session"],
  },
  {
    // Reading a session takes 2.7 kB: entries, plans and questions 1.1, the stream and its end 0.5, texts 0.5, tool calls 0.3.
    // Sending takes 1.7 kB: prompts, stops and reconnection 0.8, approvals 0.3, error messages 0.3, files 0.2.
    ...entry("ai-sdk", "a chat transport, over turnkit", root, "4.45 kB", ["createChatTransport", "approvalsAnswered"]), // bar: 3 kB
    ignore: ["ai", "@turnkit/client", "@turnkit/session"],
  },
  {
    // The same 2.7 kB for reading, and the messages that a chat builds from chunks.
    ...entry("ai-sdk", "messages of a state, over turnkit", root, "3.1 kB", ["selectMessages"]), // bar: 3 kB
    ignore: ["ai", "@turnkit/client", "@turnkit/session"],
  },
  {
    ...entry("ai-sdk", "everything, over turnkit", root, "5.1 kB"), // both contain the part that reads a session
    ignore: ["ai", "@turnkit/client", "@turnkit/session"],
  },
  {
    // React takes 68 kB, and the client of version 2 with remote 70 kB. Conversations (11 kB), Markdown (14 kB), forms, diffs and
    // the inspector are loaded later.
    name: "web: JavaScript of the first load",
    path: "../../apps/web/dist/assets/index-*.js",
    limit: "150 kB",
    gzip: true,
    // The file that a browser loads, and not another bundle of it.
    modifyEsbuildConfig: (config) => ({ ...config, loader: { ".js": "copy" } }),
  },
  entry("schema", "one constant", "v1/index.js", "0.5 kB", ["errorCodes"]),
  entry("schema", "what a client reads of version 1", "v1/index.js", "8.3 kB", ["clientContract"]), // no bar
];
