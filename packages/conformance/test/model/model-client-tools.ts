import { scripts } from "../../src/client/checks/terminal-scenes.js";
import type { ModelClient } from "./model-client.js";
import type { ModelFolder } from "./model-folder.js";
import { failure, type Loose, type ModelTerminal } from "./model-session.js";

/** Files and terminals of the model client. */
export function addClientTools(client: ModelClient): void {
  if (client.dialect.name !== "v1") return;
  addFiles(client);
  addTerminals(client);
}

const ownSession = ({ sessionId }: Loose) => {
  if (!/^conf-(session|child)$/.test(sessionId)) throw failure(-32002, "Resource not found", { sessionId });
};

/** Returns the place of a path inside of the folder. */
function inside(folder: ModelFolder, path: string): string {
  if (!path.startsWith("/")) throw failure(-32602, "The path is not absolute");
  const place = folder.resolve(path);
  if (place !== folder.cwd && !place.startsWith(`${folder.cwd}/`)) throw failure(-32602, "The path is outside");
  return place;
}

function addFiles(client: ModelClient): void {
  const { folder, handlers } = client;
  handlers.set("fs/read_text_file", (params) => {
    ownSession(params);
    const text = folder.files.get(inside(folder, params.path));
    if (text === undefined) throw failure(-32002, "Resource not found");
    if (params.line == null && params.limit == null) return { content: text };
    const from = Math.max(0, (params.line ?? 1) - 1);
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    return { content: lines.slice(from, params.limit == null ? undefined : from + params.limit).join("") };
  });
  handlers.set("fs/write_text_file", (params) => {
    ownSession(params);
    folder.files.set(inside(folder, params.path), params.content);
    return {};
  });
}

function addTerminals(client: ModelClient): void {
  const { folder, handlers, terminals } = client;
  let created = 0;
  const end = (terminal: ModelTerminal, exit: Loose) => {
    terminal.exit ??= exit;
    if (terminal.pidFile !== undefined) folder.running.delete(terminal.pidFile);
    for (const settle of terminal.waits.splice(0)) settle(terminal.exit);
  };
  const find = ({ terminalId }: Loose): ModelTerminal => {
    const terminal = terminals.get(terminalId);
    if (terminal === undefined) throw failure(-32002, "Resource not found", { terminalId });
    return terminal;
  };
  handlers.set("terminal/create", ({ command, args = [], env = [], cwd = folder.cwd, outputByteLimit }) => {
    inside(folder, cwd);
    if (command !== folder.script) throw failure(-32603, "No such program");
    const [, script, ...words] = args;
    const isEndless = script === scripts.forever;
    const terminal: ModelTerminal = {
      ...{ output: "", truncated: false, exit: undefined, waits: [] },
      pidFile: isEndless ? words[0] : undefined,
    };
    const { value: name } = env.find((one: Loose) => one.name === "CONF_NAME") ?? {};
    const outputs = new Map<string, string>([
      [scripts.words, words.map((word: string) => `${word}\n`).join("")],
      [scripts.place, `${name}\n${cwd}\n`],
      [scripts.letters, "é".repeat(1000)],
      [scripts.forever, "started\n"],
    ]);
    const output = outputs.get(script) ?? "";
    terminal.truncated = outputByteLimit != null && new TextEncoder().encode(output).length > outputByteLimit;
    terminal.output = terminal.truncated ? output.slice(-Math.floor(outputByteLimit / 2)) : output;
    if (isEndless) folder.running.add(words[0]);
    else end(terminal, { exitCode: script === scripts.words ? 3 : 0, signal: null });
    const terminalId = `model-${++created}`;
    terminals.set(terminalId, terminal);
    return { terminalId };
  });
  handlers.set("terminal/output", (params) => {
    const { output, truncated, exit } = find(params);
    return { output, truncated, ...(exit && { exitStatus: exit }) };
  });
  handlers.set("terminal/wait_for_exit", (params) => {
    const terminal = find(params);
    return terminal.exit ?? new Promise((resolve) => terminal.waits.push(resolve));
  });
  handlers.set("terminal/kill", (params) => {
    end(find(params), { exitCode: null, signal: "SIGTERM" });
    return {};
  });
  handlers.set("terminal/release", (params) => {
    end(find(params), { exitCode: null, signal: "SIGTERM" });
    terminals.delete(params.terminalId);
    return {};
  });
  client.endTerminals = () => {
    for (const terminal of terminals.values()) end(terminal, { exitCode: null, signal: "SIGTERM" });
  };
}
