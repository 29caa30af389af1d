import type { ModelAgent } from "./model-agent.js";
import { failure, type Loose, type ModelSession, type ModelTurn } from "./model-session.js";
import { words } from "./model-words.js";

/** Work of one prompt. It ends with a stop reason. */
type Scene = (stage: Stage) => Promise<string>;

/** Plays the scene of a prompt. Returns the result of the prompt. */
export async function play(agent: ModelAgent, session: ModelSession, params: Loose): Promise<unknown> {
  const { dialect } = agent;
  const { idempotencyKey: key } = params;
  const known = key == null ? undefined : session.keys.get(key);
  if (known !== undefined) return { messageId: known };
  if (session.turn !== undefined && dialect.turnEnd === "answer") throw failure(-32600, "A turn is running");
  const messageId = `u-${session.id}-${++session.prompts}`;
  if (key != null) session.keys.set(key, messageId);
  const stage = new Stage(agent, session);
  stage.echo(messageId, params.prompt);
  const work = (async () => {
    const name = agent.texts.get(params.prompt[0]?.text) ?? "say";
    // Other messages of the same write are read first.
    await Promise.resolve();
    const reason = await (scenes[name] as Scene)(stage);
    session.turn = undefined;
    return stage.turn.isAborted ? "cancelled" : reason;
  })();
  if (dialect.turnEnd === "answer") return { stopReason: await work };
  void work.then((stopReason) => stage.state("idle", { stopReason }));
  return { messageId };
}

/** Means of a scene. */
class Stage {
  readonly agent: ModelAgent;
  readonly session: ModelSession;
  readonly turn: ModelTurn;
  #texts = 0;

  constructor(agent: ModelAgent, session: ModelSession) {
    this.agent = agent;
    this.session = session;
    let abort = () => {};
    const aborted = new Promise<void>((resolve) => {
      abort = resolve;
    });
    this.turn = {
      aborted,
      isAborted: false,
      abort() {
        this.isAborted = true;
        abort();
      },
    };
    session.turn = this.turn;
  }

  get words() {
    return words[this.agent.dialect.name];
  }

  say(update: Loose): void {
    this.agent.say(this.session.id, update);
  }

  /** Says an update that a replay repeats. */
  record(update: Loose, replayed: Loose = update): void {
    this.session.history.push(replayed);
    this.say(update);
  }

  echo(messageId: string, prompt: Loose[]): void {
    const { dialect } = this.agent;
    if (dialect.name === "v1") {
      for (const content of prompt)
        this.session.history.push({ sessionUpdate: "user_message_chunk", messageId, content });
      return;
    }
    this.record({ sessionUpdate: "user_message", messageId, content: prompt });
    if (dialect.name === "v2") this.state("running");
  }

  state(state: string, more: Loose = {}): void {
    this.say({ sessionUpdate: "state_update", state, background: [], ...more });
  }

  text(value: string): void {
    const id = `m-${this.session.prompts}-${++this.#texts}`;
    const update = this.words.message(id, value);
    const whole = { sessionUpdate: "agent_message", messageId: id, content: [update.content] };
    this.record(update, this.agent.dialect.version === 2 ? whole : update);
  }

  tool(call: Loose, first = false): void {
    this.record(this.words.tool(first, call));
  }

  /** Asks for permission. Returns `true` if the client allows. */
  async allowed(call: Loose): Promise<boolean> {
    const isV2 = this.agent.dialect.name === "v2";
    if (isV2) this.state("requires_action");
    const params = this.words.question(this.session.id, call);
    const { id, answer } = this.agent.ask("session/request_permission", params);
    const first = await Promise.race([answer, this.turn.aborted]);
    if (first === undefined) this.agent.notify("$/cancel_request", { requestId: id });
    else if (isV2) this.state("running");
    const { outcome, optionId } = first?.result?.outcome ?? {};
    return outcome === "selected" && optionId === "yes";
  }

  /** Calls a method of the client. Returns its result, or `undefined` if it fails. */
  async client(method: string, params: Loose): Promise<Loose | undefined> {
    const { answer } = this.agent.ask(method, { sessionId: this.session.id, ...params });
    const frame = await Promise.race([answer, this.turn.aborted]);
    return frame?.result;
  }

  can(...path: string[]): boolean {
    const found = path.reduce<unknown>((part, name) => (part as Loose)?.[name], this.agent.client?.clientCapabilities);
    return found === true || (typeof found === "object" && found !== null);
  }
}

const scenes: Record<string, Scene> = {
  async say(stage) {
    stage.text("Hello.");
    return "end_turn";
  },
  async long(stage) {
    stage.text("1\n");
    await stage.turn.aborted;
    stage.text("Stopped.");
    return "end_turn";
  },
  async work(stage) {
    const path = `${stage.session.cwd}/note.txt`;
    const entry = (content: string, status: string) => ({ content, priority: "medium", status });
    stage.say(stage.words.thought(`t-${stage.session.prompts}`, "I read the file."));
    stage.record(stage.words.plan([entry("Read", "in_progress"), entry("Answer", "pending")]));
    const toolCallId = `call-${stage.session.id}-${stage.session.prompts}`;
    stage.tool({ toolCallId, title: "Read note.txt", kind: "read", status: "pending" }, true);
    stage.tool({ toolCallId, status: "in_progress", locations: [{ path, line: 1 }] });
    const content = [{ type: "content", content: { type: "text", text: "Bread" } }, stage.words.diff(path)];
    stage.tool({ toolCallId, status: "completed", content });
    stage.text("It is about bread.");
    stage.say({ sessionUpdate: "usage_update", used: 10, size: 1000 });
    stage.say({ sessionUpdate: "session_info_update", title: "Bread" });
    if (stage.agent.dialect.name === "v1") stage.say({ sessionUpdate: "current_mode_update", currentModeId: "code" });
    const options = stage.words.options(stage.agent, stage.session.values);
    stage.say({ sessionUpdate: "config_option_update", configOptions: options });
    const command = { name: "undo", description: "Undo the last edit" };
    const availableCommands = [stage.agent.dialect.name === "v2" ? { type: "command", ...command } : command];
    stage.say({ sessionUpdate: "available_commands_update", availableCommands });
    return "end_turn";
  },
  async permission(stage) {
    const toolCallId = `ask-${stage.session.id}-${stage.session.prompts}`;
    stage.tool({ toolCallId, title: "Write conformance.txt", kind: "edit", status: "pending" }, true);
    const allowed = await stage.allowed({ toolCallId, title: "Write conformance.txt" });
    if (allowed) stage.tool({ toolCallId, status: "in_progress" });
    stage.tool({ toolCallId, status: allowed ? "completed" : "failed" });
    stage.text(allowed ? "Written." : "Not allowed.");
    return "end_turn";
  },
  async read(stage) {
    if (stage.can("fs", "readTextFile")) {
      const read = await stage.client("fs/read_text_file", { path: `${stage.session.cwd}/note.txt` });
      stage.text(read === undefined ? "It cannot be read." : String(read.content));
    } else stage.text("Bread.");
    return "end_turn";
  },
  async write(stage) {
    if (stage.can("fs", "writeTextFile"))
      await stage.client("fs/write_text_file", { path: `${stage.session.cwd}/conformance.txt`, content: "hi" });
    stage.text("Written.");
    return "end_turn";
  },
  terminal: (stage) => runTerminal(stage, false),
  "long-terminal": (stage) => runTerminal(stage, true),
  async child(stage) {
    const { agent, session } = stage;
    const child = `${session.id}-child`;
    if (agent.dialect.name === "v1" ? stage.can("subagents") : agent.dialect.name === "v2") {
      stage.say({ sessionUpdate: "subagent_update", sessionId: child, title: "Greeter" });
      if (agent.dialect.name === "v2")
        agent.say(child, { sessionUpdate: "state_update", state: "running", background: [] });
      agent.say(child, stage.words.message(`child-${session.prompts}`, "Hello."));
      if (agent.dialect.name === "v2")
        agent.say(child, { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn", background: [] });
    }
    stage.text("The subagent said hello.");
    return "end_turn";
  },
};

async function runTerminal(stage: Stage, isLong: boolean): Promise<string> {
  const toolCallId = `run-${stage.session.id}-${stage.session.prompts}`;
  stage.tool({ toolCallId, title: "Run a command", kind: "execute", status: "in_progress" }, true);
  let isDone = true;
  if (stage.agent.dialect.name === "v1" && stage.can("terminal")) isDone = await clientTerminal(stage, toolCallId);
  else {
    if (stage.agent.dialect.name === "v2") ownTerminal(stage, toolCallId);
    if (isLong) await stage.turn.aborted;
  }
  stage.tool({ toolCallId, status: isDone && !stage.turn.isAborted ? "completed" : "failed" });
  stage.text("Done.");
  return "end_turn";
}

async function clientTerminal(stage: Stage, toolCallId: string): Promise<boolean> {
  const created = await stage.client("terminal/create", { command: "echo", args: ["conformance"], env: [] });
  if (created === undefined) return false;
  const { terminalId } = created;
  stage.tool({ toolCallId, content: [{ type: "terminal", terminalId }] });
  const exit = await stage.client("terminal/wait_for_exit", { terminalId });
  if (exit !== undefined) await stage.client("terminal/output", { terminalId });
  await stage.agent.ask("terminal/release", { sessionId: stage.session.id, terminalId }).answer;
  return exit !== undefined;
}

function ownTerminal(stage: Stage, toolCallId: string): void {
  const terminalId = `term-${toolCallId}`;
  stage.say({ sessionUpdate: "terminal_update", terminalId, command: "echo conformance", cwd: stage.session.cwd });
  stage.tool({ toolCallId, content: [{ type: "terminal", terminalId }] });
  stage.say({ sessionUpdate: "terminal_output_chunk", terminalId, data: "Y29uZm9ybWFuY2UK" });
  stage.say({ sessionUpdate: "terminal_update", terminalId, exitStatus: { exitCode: 0 } });
}
