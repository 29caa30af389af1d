import { NOTE } from "../../src/agent/replies.js";
import { scripts } from "../../src/client/checks/terminal-scenes.js";
import type { ModelClient } from "../model/model-client.js";
import { failure, type Loose } from "../model/model-session.js";
import type { ClientMutant } from "./client-mutant.js";

type Handler = (params: Loose, usual: () => unknown, client: ModelClient) => unknown;

/** Replaces a handler. `usual` does what the handler did. */
const handling = (method: string, change: Handler) => (client: ModelClient) => {
  const handler = client.handlers.get(method);
  client.handlers.set(method, (params, frame) => change(params, () => handler?.(params, frame), client));
};

const capabilities = (change: (all: Loose) => Loose) => (client: ModelClient) =>
  client.call("initialize", (params) => ({ ...params, clientCapabilities: change(params.clientCapabilities) }));

const anyFile = ({ folder }: ModelClient, path: string) => ({ content: folder.files.get(folder.resolve(path)) ?? "" });

const readFault = (check: string, what: string, fits: (params: Loose) => boolean, read?: Handler): ClientMutant => ({
  ...{ check, what },
  alter: handling("fs/read_text_file", (params, usual, client) =>
    fits(params) ? (read ?? ((_params, _usual, own) => anyFile(own, params.path)))(params, usual, client) : usual(),
  ),
});

const writeFault = (check: string, what: string, fits: (params: Loose) => boolean, write?: Handler): ClientMutant => ({
  ...{ check, what },
  alter: handling("fs/write_text_file", (params, usual, client) => {
    if (!fits(params)) return usual();
    if (write) return write(params, usual, client);
    const { folder } = client;
    folder.files.set(
      folder.resolve(params.path.startsWith("/") ? params.path : `/work/${params.path}`),
      params.content,
    );
    return {};
  }),
});

const fileMutants: readonly ClientMutant[] = [
  readFault(
    "TKC-FS-01",
    "trims what it reads",
    ({ path, sessionId }) => path === "/work/note.txt" && sessionId === "conf-session",
    () => ({ content: NOTE.trim() }),
  ),
  readFault(
    "TKC-FS-02",
    "counts lines from 0",
    ({ line }) => line === 2,
    () => ({ content: "three\nfour\n" }),
  ),
  readFault(
    "TKC-FS-03",
    "fails behind the end of a file",
    ({ line }) => line === 9,
    () => {
      throw failure(-32602, "No such line");
    },
  ),
  readFault(
    "TKC-FS-04",
    "gives an internal error for a missing file",
    ({ path }) => path.includes("nothing"),
    () => {
      throw failure(-32603, "ENOENT");
    },
  ),
  readFault(
    "TKC-FS-05",
    "reads relative paths",
    ({ path }) => path === "note.txt",
    () => ({ content: NOTE }),
  ),
  readFault("TKC-FS-06", "reads every file", ({ path }) => path === "/outside/secret.txt"),
  readFault("TKC-FS-07", "compares paths as texts", ({ path }) => path.startsWith("/work/../")),
  readFault("TKC-FS-08", "follows links to files", ({ path }) => path === "/work/linked.txt"),
  readFault("TKC-FS-09", "follows links to folders", ({ path }) => path.startsWith("/work/linked/")),
  readFault("TKC-FS-10", "reads files for any session", ({ sessionId }) => sessionId === "conf-nobody"),
  {
    check: "TKC-FS-11",
    what: "offers no files, and reads them",
    alter: capabilities((all) => ({ ...all, fs: { readTextFile: false, writeTextFile: true } })),
  },
  writeFault(
    "TKC-FS-12",
    "writes nothing",
    ({ path }) => path.endsWith("conf-new.txt"),
    () => ({}),
  ),
  writeFault(
    "TKC-FS-13",
    "adds to a file",
    ({ path }) => path.endsWith("lines.txt"),
    ({ path, content }, _usual, { folder }) => {
      folder.files.set(path, `${folder.files.get(path)}${content}`);
      return {};
    },
  ),
  writeFault("TKC-FS-14", "writes every file", ({ path }) => path === "/outside/secret.txt"),
  writeFault("TKC-FS-15", "writes through links to files", ({ path }) => path === "/work/linked.txt"),
  writeFault("TKC-FS-16", "writes through links to folders", ({ path }) => path.startsWith("/work/linked/")),
  writeFault("TKC-FS-17", "writes to relative paths", ({ path }) => !path.startsWith("/")),
];

const terminal = (
  check: string,
  what: string,
  verb: string,
  change: Handler,
  also?: readonly string[],
): ClientMutant => ({
  ...{ check, what, ...(also && { also }) },
  alter: handling(`terminal/${verb}`, change),
});

const changed =
  (change: (result: Loose) => unknown): Handler =>
  (_params, usual) =>
    change(usual() as Loose);

const terminalMutants: readonly ClientMutant[] = [
  terminal("TKC-TERM-01", "waits without an exit code", "wait_for_exit", async (_params, usual) => ({
    ...((await usual()) as Loose),
    exitCode: null,
  })),
  terminal("TKC-TERM-02", "lets a shell read the words", "create", (params, usual) => {
    for (const at of params.args.keys()) params.args[at] = params.args[at].replace("$HOME", "/home/me");
    return usual();
  }),
  terminal(
    "TKC-TERM-03",
    "gives output without an exit status",
    "output",
    changed(({ exitStatus, ...result }) => (exitStatus?.exitCode === 3 ? result : { ...result, exitStatus })),
  ),
  {
    check: "TKC-TERM-04",
    what: "answers only the first wait",
    alter(client) {
      const waited = new Set<unknown>();
      handling("terminal/wait_for_exit", ({ terminalId }, usual) => {
        if (waited.has(terminalId)) return new Promise(() => {});
        waited.add(terminalId);
        return usual();
      })(client);
    },
  },
  terminal(
    "TKC-TERM-05",
    "keeps the oldest output",
    "output",
    changed((result) => (result.truncated ? { ...result, output: `${result.output}\ufffd` } : result)),
  ),
  terminal("TKC-TERM-06", "drops variables", "create", (params, usual) => {
    params.env?.splice(0);
    return usual();
  }),
  terminal("TKC-TERM-07", "starts commands anywhere", "create", (params, usual) => {
    if (params.cwd === "/outside") delete params.cwd;
    return usual();
  }),
  terminal("TKC-TERM-08", "gives a terminal for a missing program", "create", (params, usual) =>
    params.command.includes("no-program") ? { terminalId: "none" } : usual(),
  ),
  terminal("TKC-TERM-09", "gives empty output for a missing terminal", "output", ({ terminalId }, usual) =>
    terminalId === "conf-no-terminal" ? { output: "", truncated: false } : usual(),
  ),
  {
    check: "TKC-TERM-10",
    what: "offers no terminals, and runs commands",
    alter: capabilities((all) => ({ ...all, terminal: false })),
  },
  terminal(
    "TKC-TERM-11",
    "gives an exit status while a command runs",
    "output",
    changed((result) => ({ ...result, exitStatus: result.exitStatus ?? { exitCode: 0 } })),
  ),
  terminal("TKC-TERM-12", "forgets a terminal that is killed", "kill", ({ terminalId }, usual, client) => {
    usual();
    client.terminals.delete(terminalId);
    return {};
  }),
  terminal("TKC-TERM-13", "keeps a released terminal", "release", (params, _usual, client) => {
    client.handlers.get("terminal/kill")?.(params, {});
    return {};
  }),
  terminal("TKC-TERM-14", "lets a released command run", "release", ({ terminalId }, _usual, client) => {
    client.terminals.delete(terminalId);
    return {};
  }),
  {
    check: "TKC-TERM-15",
    what: "leaves its commands behind",
    alter(client) {
      client.onQuit = () => client.endAgent();
    },
  },
  {
    check: "TKC-TERM-16",
    what: "stops reading while a command runs",
    alter(client) {
      handling("terminal/create", (params, usual) => {
        if (params.args?.[1] === scripts.forever && params.args[2].endsWith("left"))
          client.incoming((frame) => (frame.method === "_turnkit/settled" ? undefined : frame));
        return usual();
      })(client);
    },
  },
];

const form = (check: string, what: string, change: Handler, more: Partial<ClientMutant> = {}): ClientMutant => ({
  ...{ check, what, ...more },
  alter: handling("elicitation/create", change),
});

const isForm = ({ sessionId, mode, requestedSchema }: Loose) =>
  sessionId === "conf-session" && mode === "form" && requestedSchema.properties.name !== undefined;

const formMutants: readonly ClientMutant[] = [
  form("TKC-FORM-01", "fails a form", (params, usual) => {
    if (isForm(params) && !("requestId" in params)) throw failure(-32603, "No window");
    return usual();
  }),
  form("TKC-FORM-02", "accepts a form without a value", (params, usual) =>
    isForm(params) && !("requestId" in params) ? { action: "accept", content: {} } : usual(),
  ),
  {
    check: "TKC-FORM-03",
    what: "cancels a form of nobody",
    alter: (client) =>
      client.incoming((frame) => {
        const { sessionId, requestId } = frame.params ?? {};
        if (frame.method !== "elicitation/create" || sessionId || requestId) return frame;
        client.write({ jsonrpc: "2.0", id: frame.id, result: { action: "cancel" } });
        return undefined;
      }),
  },
  {
    check: "TKC-FORM-04",
    dialect: "v2",
    what: "shows a form with two owners",
    alter: (client) =>
      client.incoming((frame) => {
        if (frame.params?.requestId !== "conf-request") return frame;
        const { requestId: _, ...params } = frame.params;
        return { ...frame, params };
      }),
  },
  form("TKC-FORM-05", "cancels a form in an unknown mode", ({ mode }, usual) =>
    mode === "_turnkit_song" ? { action: "cancel" } : usual(),
  ),
  form("TKC-FORM-06", "invents values of unknown fields", (params, usual) =>
    params.requestedSchema?.properties?.when ? { action: "accept", content: { when: "now" } } : usual(),
  ),
  {
    check: "TKC-FORM-07",
    what: "offers no forms, and answers them",
    alter: capabilities(({ elicitation: _, ...all }) => all),
  },
  {
    check: "TKC-FORM-08",
    what: "ends after a form",
    alter: (client) =>
      client.outgoing((frame) => {
        if (frame.result?.action === "decline") queueMicrotask(() => client.quit(0));
        return frame;
      }),
  },
];

export const toolMutants: readonly ClientMutant[] = [...fileMutants, ...terminalMutants, ...formMutants];
