// What a bundler makes of the built entries: minified and zipped, with all that they import. A limit without a remark is
// the project's bar. The others are what was reached and 3 %, with the bar beside it: they may only go down. (The reducer's went
// up once, for pages of text: half a kB, and a fifth of the memory of a long answer. The client's of one version did, for
// pieces that wait without their events: 0.2 kB, and a third less garbage collection where there are 1 000 sessions. Three rows
// did by 0.1 kB, for a round of defects: answers that come inside a write, and memory of connections that are never idle. All
// did for the defects B1 to B15, by 0.7 kB in transport, 3 in the client and 6 in the agent: nothing lost, nothing hangs. All that read with
// schema did by 1.7 kB of zod: schemas are made by zod's own constructor in place of an imitation of its insides. The second round
// of eyes added 0.3 kB in transport, 0.6 in session, 2 in the client and 2.3 in the agent: restores beside an open session, floods,
// ends of turns that always reach the client. The defects of the first hour added 0.3 kB in transport, 0.8 in the client and 2.1
// in the agent: errors that reach somebody; text, usage and signal of a turn; results and unfinished tool calls; stored data.)
// The same events in every version, and one sentence for each wrong argument, added 2 kB in the client and 0.6 in the agent; what
// the Preview moved added the rest of these two.
// Reports of options without effect, with the nearest known name, added 0.7 kB in transport, and 0.6 kB in each client and agent.
// Extensions with schemas added 0.4 kB in transport; a client or an agent that creates none has none of it.
// The Preview of 20 November added 0.15 kB in session, 0.4 in the decoders and 0.4 in schema: children, plans by id, the end of a
// replay. Attackers added 4 kB to the broker and 1 kB to transport: rules that read command lines, redaction of 170 more forms.
// The rest of the Preview added 1.5 kB in session (the tree of sessions), 2 in the client (child sessions, keys, lost answers) and
// 3.5 in the agent (child sessions and their log, keys, paced plans). Sentences about wrong arguments and misspelled names, in
// calls of a session and a turn too, added 1 kB in the client and 1.5 in the agent.
// Subagents as tool calls for clients without them, pieces held until a replay ends, and messages that a turn ends added 0.3 kB
// in session, 0.3 in the client and 0.7 in the agent.
// Values that vanished without a word are checked where a person writes them, refused work does not run, and a restore loses no
// data: 2.4 kB in the agent, 0.3 in the client. Secrets kept out of errors, bounds of events, attributes of cookies and pings: 2 kB
// in the client of remote.
// Races and wrong calls of child sessions, replays that fail, and retries that are never done twice added 2.6 kB in the agent and
// 1 in the client.
// About 80 mistakes of a newcomer that nobody heard of are refused or reported where they are made: 3 kB in the agent (blocks,
// updates, results, work without an end), 1.2 in the client (lost connections, late loops, silence), 0.4 in transport, 0.5 in the
// broker and 0.3 in the client of remote (misspelled options, times as text).
// One pass that finds which forms of secrets a text can contain, and tables in place of searches, added 1.6 kB in the broker:
// redaction of 1 MiB of hostile text took 200 to 440 ms, and takes half or a third.
// Mistakes of a newcomer that failed with errors from inside have a sentence: 0.2 kB in the client of remote and in ai-sdk. Work
// that waits for its open question, and remedies for more names, added 0.1 kB in the agent and the client.
// A bound of the values in a message, and answers that name the bound of a line, added 0.1 kB in transport: 16 MiB of empty lists
// stopped a process for 8 s.
// Packed frames, which end after 1 024 messages, added 0.25 kB in the client of remote: a frame for each message took most of the time.
// Types of all options in the tables of their names, and a turn that says where its end is, added 0.3 kB in the client, 0.2 in the
// agent and 0.1 in transport and session. Before, 101 options of another type were taken without a word. The guards of the agent
// and of the client of version 1 were already exceeded by 0.02 to 0.16 kB, because of earlier mends.
// Sentences that name the lowest number, the dialects to pass and the cause of a failed fetch added 0.25 kB in the client, 0.05 in the agent.
// One point after texts of others, in place of two, added 0.05 kB in transport, the client and the agent.
// Parts of a growing message, of which a frame reads only the new ones, added 0.1 kB in session.
// A large text is counted in parts, in a third of the time and without a copy: 0.08 kB in session, the client and the agent.
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
  entry("client", "all dialects", root, "57.5 kB", ["connect"]), // bar: 42 kB
  entry("client", "version 1 alone", root, "52.8 kB", ["connectWith", "v1Dialect"]), // bar: 38 kB
  entry("client", "version 2 alone", root, "52.2 kB", ["connectWith", "v2Dialect"]), // bar: 38 kB
  entry("client", "everything of the broker", "broker/index.js", "29.2 kB"), // no bar: policies read command lines, redact by forms, and know more programs and variables
  entry("client", "one constant", root, "0.5 kB", ["isRpcError"]),
  entry("agent", "all dialects", root, "77.6 kB", ["createAgent"]), // bar: 50 kB
  entry("agent", "version 1 alone", root, "71 kB", ["createAgentWith", "v1Dialect"]), // bar: 45 kB
  entry("agent", "version 2 alone", root, "67.3 kB", ["createAgentWith", "v2Dialect"]),
  entry("agent", "one constant", root, "0.5 kB", ["MAX_TITLE_LENGTH"]),
  entry("session", "everything of the root", root, "19.85 kB"),
  entry("session", "reducer and the decoder of version 1", root, "13.3 kB", [
    "reduce",
    "createSessionState",
    "decodeV1",
  ]), // bar: 6 kB
  entry("session", "one constant", root, "0.5 kB", ["DEFAULT_PLAN_ID"]),
  entry("session", "one function of the codecs", "codec/index.js", "0.5 kB", ["settingCall"]),
  entry("transport", "everything of the root", root, "9.5 kB"),
  entry("transport", "one constant", root, "0.5 kB", ["rpcErrorCode"]),
  {
    ...entry("remote", "everything of clients, over transport", "client/index.js", "13.7 kB"),
    ignore: ["@turnkit/transport"],
  },
  {
    // Without the store of cookies. HTTP alone takes 9.3 kB of it, and sentences for people 1.1 kB.
    ...entry("remote", "openRemote in a page, over transport", "client/browser.js", "12.8 kB", ["openRemote"]), // bar: 9 kB
    ignore: ["@turnkit/transport"],
  },
  {
    // The engine itself: compactions and errors of the agent are there anyway. It runs on servers only, so the bound is the
    // measured size: ownership, log, snapshots and channels between gateways. Replicas on servers that would lose snapshots are
    // refused, and silent servers are named: 0.15 kB. Servers too old for several replicas are refused, and a stream that a
    // server does not know yet is tried again: 0.5 kB.
    ...entry("gateway", "an engine on JetStream, over NATS and turnkit", "jetstream/index.js", "11.5 kB"),
    ignore: ["@nats-io/jetstream", "@nats-io/kv", "@nats-io/transport-node", "@turnkit/agent", "@turnkit/transport"],
  },
  {
    ...entry("react", "every hook, over react and turnkit", root, "3 kB"),
    ignore: ["react", "@turnkit/client", "@turnkit/session"],
  },
  {
    // Reading a session takes 2.7 kB: entries, plans and questions 1.1, the stream with its ends 0.5, texts 0.5, tool calls 0.3.
    // Sending takes 1.7: prompts, stops and reconnection 0.8, approvals 0.3, sentences for people 0.3, files 0.2.
    ...entry("ai-sdk", "a chat transport, over turnkit", root, "4.45 kB", ["createChatTransport", "approvalsAnswered"]), // bar: 3 kB
    ignore: ["ai", "@turnkit/client", "@turnkit/session"],
  },
  {
    // The same reading, and what a chat makes of its chunks.
    ...entry("ai-sdk", "messages of a state, over turnkit", root, "3.1 kB", ["selectMessages"]), // bar: 3 kB
    ignore: ["ai", "@turnkit/client", "@turnkit/session"],
  },
  {
    ...entry("ai-sdk", "everything, over turnkit", root, "5.1 kB"), // both share the reading
    ignore: ["ai", "@turnkit/client", "@turnkit/session"],
  },
  {
    // React takes 68 kB of it, and the client of version 2 with remote 70 kB. Conversations, Markdown, forms, diffs and the
    // inspector are loaded later. Until a conversation is drawn, there are 11 kB of it and 14 kB of Markdown.
    name: "web: JavaScript of the first load",
    path: "../../apps/web/dist/assets/index-*.js",
    limit: "150 kB",
    gzip: true,
    modifyEsbuildConfig: (config) => ({ ...config, format: "esm", target: "es2022", external: ["./*"] }),
  },
  entry("schema", "one constant", "v1/index.js", "0.5 kB", ["errorCodes"]),
  entry("schema", "what a client reads of version 1", "v1/index.js", "8.3 kB", ["clientContract"]), // no bar
];
