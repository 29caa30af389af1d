import { type Agent, allDialects as agentDialects, createAgent, createAgentWith, type Turn } from "@turnkit/agent";
import { allDialects, allowOnce, type Client, connectWith, createElicitations } from "@turnkit/client";
import type { Channel } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { type Cell, type Life, limits } from "./cell.js";
import { rawAgent } from "./raw-agent.js";
import { rawClient } from "./raw-client.js";

const info = { name: "long-life", version: "1.0.0" };
const quiet = { onDiagnostic: () => undefined, onLoss: () => undefined };

/** Opens the session of a cell. */
export async function beginLife(cell: Cell): Promise<Life> {
  const [one, two] = createMemoryPair();
  if (cell.side !== "client") agentOf(cell).serve(one, { ...quiet, limits });
  if (cell.side === "agent") return rawClient(two, cell);
  if (cell.side === "client") rawAgent(one, cell);
  return clientLife(two, cell);
}

function agentOf({ dialect, manner }: Cell): Agent {
  const handlers = {
    info,
    newSession: () => undefined,
    prompt: { obedient: answer, unruly: answerUntidily, family: delegate }[manner],
    setConfigOption: () => undefined,
  };
  return dialect === "seed"
    ? createAgentWith(
        agentDialects.filter((one) => one.dialect === dialect),
        handlers,
      )
    : createAgent(handlers);
}

async function answer(turn: Turn): Promise<void> {
  turn.think("Let me see.");
  const call = turn.toolCall({ title: "Look", kind: "read", locations: [{ path: "/work/a" }] });
  const allowed = await call.ask();
  call.append({ type: "content", content: { type: "text", text: allowed ? "seen" : "not seen" } });
  const { terminalId, ...terminal } = turn.session.terminal({ command: "ls" });
  call.append({ type: "terminal", terminalId });
  terminal.write("a\nb\n");
  terminal.exit({ exitCode: 0 });
  call.finish();
  turn.plan([{ content: "Look", priority: "high", status: "completed" }]);
  turn.say("Done.");
}

/** Gives the work to a child session, which gives it on. Both are forgotten when they are done. */
async function delegate({ session }: Turn): Promise<void> {
  const kid = session.child("Kid", { cancel: true });
  const grandkid = kid.child("Grandkid");
  session.setBackground([{ type: "subagent", sessionId: grandkid.id }]);
  const call = grandkid.toolCall({ title: "Look", kind: "read" });
  if (await call.ask()) call.finish();
  grandkid.say("Seen.\n");
  grandkid.forget();
  kid.say("Done.");
  kid.idle();
  session.setBackground([]);
  kid.forget();
}

/** Leaves everything open: questions, tool calls that could be cancelled, terminals, plans, errands, streams. */
async function answerUntidily(turn: Turn): Promise<void> {
  const { session } = turn;
  const call = turn.toolCall({ title: "Look", kind: "read", onCancel: () => undefined });
  void call.requestPermission();
  void turn.requestPermission({ title: "May I?", options: [{ optionId: "y", name: "Yes", kind: "allow_once" }] });
  if (session.client.capabilities.elicitation.url) {
    const errand = {
      mode: "url",
      elicitationId: crypto.randomUUID(),
      url: "https://example.com",
      message: "Go",
    } as const;
    void turn.elicit(errand);
  }
  const { terminalId, ...terminal } = session.terminal({ command: "ls", onCancel: () => undefined });
  call.append({ type: "terminal", terminalId });
  terminal.write("a\n\ud83d");
  session.toolCall({ title: "Behind", onCancel: () => undefined }).append({ type: "terminal", terminalId });
  turn.emit({
    type: "plan_update",
    plan: { type: "markdown", planId: crypto.randomUUID(), content: `Plan ${call.id}` },
  });
  const messageId = crypto.randomUUID();
  turn.emit({ type: "agent_message", messageId, content: [{ type: "text", text: "one" }] });
  turn.emit({ type: "agent_message", messageId, content: [{ type: "text", text: "two" }] });
  turn.emit({ type: "agent_message", messageId: "same", content: [{ type: "text", text: crypto.randomUUID() }] });
  turn.say("Done.\ud83d");
}

async function clientLife(channel: Channel, { dialect, manner, side }: Cell): Promise<Life> {
  const client: Client = await connectWith(
    allDialects.filter((one) => one.dialect === dialect),
    channel,
    {
      ...{ info, ...quiet, limits },
      // Who asks in vain is left waiting: nobody decides.
      permissions: (question) => (question.title === "Leave me" ? undefined : allowOnce(question)),
      elicitations: createElicitations({ url: () => ({ action: "accept" }), form: () => ({ action: "decline" }) }),
    },
  );
  const listen = (): void => undefined;
  const session = await client.newSession({ cwd: "/work" }, listen);
  return {
    async prompt(turn) {
      const prompt = session.prompt(`Prompt ${turn}`);
      if (turn % 100 === 0) for await (const _ of prompt) listen();
      await prompt.ended;
      if (side === "client" && turn % 10 === 0) await session.setConfigOption("pace", "slow").catch(() => manner);
    },
    close: () => client.close(),
  };
}
