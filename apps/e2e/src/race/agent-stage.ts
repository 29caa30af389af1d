import {
  type AgentConnection,
  type AgentHandlers,
  createAgent,
  createMemoryLog,
  outgoingContracts,
} from "@turnkit/agent";
import type { DialectName } from "@turnkit/session";
import { createGate, createRawPeer, type Frame, type Gate, type RawPeer } from "@turnkit/testing";
import { createMemoryPair } from "@turnkit/transport/channels";
import { hellos } from "../hostile/hostile-frames.js";
import { hold, type Schedule } from "./schedule.js";

export type Policy = NonNullable<AgentHandlers["whilePrompting"]>;

/** Behaviour of a turn's handler when it is cancelled: it ends at once, only by itself, or never. */
export type Manner = "obeys" | "deaf" | "hangs";

/** One run of the agent's prompt handler, and what it found. */
export type Act = {
  /** The text of the prompt that it answers. */
  readonly prompt: string;
  readonly manner: Manner;
  readonly signal: AbortSignal;
  /** Lets it end by itself. */
  readonly end: Gate;
  say(text: string): void;
  ask(): void;
  /** True if it was cancelled before it ended; absent while it runs. */
  cancelledAtEnd?: boolean;
};

/** End that the handler of an act makes by itself. */
export type Ending = "end_turn" | "refusal" | "error";

/** Our agent with one session, spoken to in raw frames. */
export type AgentStage = {
  readonly dialect: DialectName;
  readonly peer: RawPeer;
  readonly served: AgentConnection;
  readonly sessionId: string;
  readonly acts: Act[];
  /** Returns the number of runs of the session's clean-up. */
  readonly cleanUps: () => number;
  /** Numbers of permission questions: settled as allowed, and settled at all. */
  readonly asked: { granted: number; settled: number };
};

/** Opens a session with an agent whose turns go as the schedule has it. */
export async function stageAgent(schedule: Schedule, policy: Policy, ending: () => Ending): Promise<AgentStage> {
  const { random } = schedule;
  const dialect = random.pick<DialectName>(["v1", "v2", "seed"]);
  const [channel, end] = createMemoryPair();
  const peer = createRawPeer(end, { patienceMs: Number.POSITIVE_INFINITY });
  const acts: Act[] = [];
  const asked = { granted: 0, settled: 0 };
  let cleanUps = 0;
  const agent = createAgent({
    info: { name: "racer", version: "1.0.0" },
    whilePrompting: policy,
    ...(random.chance(0.3) && { log: createMemoryLog() }),
    newSession: () => undefined,
    closeSession: () => {
      cleanUps++;
    },
    async prompt(turn) {
      const [block] = turn.prompt;
      const prompt = block?.type === "text" ? block.text : "";
      const act: Act = {
        prompt,
        manner: random.pick<Manner>(["obeys", "obeys", "deaf", "hangs"]),
        signal: turn.signal,
        end: createGate(),
        say: (text) => void turn.say(`${prompt} ${text}`),
        ask: () => {
          const answer = schedule.mustSettle(
            `a question of ${prompt}`,
            turn.requestPermission({ title: "May I?", options: [yes] }),
          );
          void answer.then(({ allowed }) => {
            asked.settled++;
            if (allowed) asked.granted++;
          });
        },
      };
      acts.push(act);
      if (act.manner === "hangs") await new Promise(() => undefined);
      if (act.manner === "deaf") await act.end.opened;
      else await Promise.race([act.end.opened, aborted(turn.signal)]);
      act.cancelledAtEnd = turn.signal.aborted;
      const how = ending();
      if (how === "error") throw new Error("the model is gone");
      return how;
    },
  });
  const served = agent.serve(channel, { validateOutgoing: outgoingContracts });
  await peer.request("initialize", hellos[dialect]);
  const { result } = await peer.request("session/new", { cwd: "/work", mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  return { dialect, peer, served, sessionId, acts, cleanUps: () => cleanUps, asked };
}

const yes = { optionId: "yes", name: "Yes", kind: "allow_once" } as const;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Messages to the client about one prompt. */
export type Told = {
  /** Its answers: one, unless the connection ended first. */
  readonly answers: readonly Frame[];
  /** Stop reason of the turn, or the code of the error; absent if the client got neither. */
  readonly end?: string | number;
  /** Index of the end among the messages. */
  readonly endAt: number;
};

/** Reads out of the frames what became of a prompt. */
export function toldOf({ dialect, peer }: AgentStage, id: string): Told {
  const { received } = peer;
  const answers = received.filter((frame) => frame.id === id && !("method" in frame));
  const [answer] = answers;
  const at = answer === undefined ? -1 : received.indexOf(answer);
  if (answer === undefined) return { answers, endAt: received.length };
  if (answer.error) return { answers, end: answer.error.code, endAt: at };
  const { stopReason } = answer.result as { stopReason?: string };
  if (dialect !== "v2") return { answers, ...(stopReason && { end: stopReason }), endAt: at };
  // In version 2 the answer is the beginning, and the next idle the end.
  const idleAt = received.findIndex((frame, index) => index > at && updateOf(frame)?.state === "idle");
  const idle = updateOf(received[idleAt] ?? {});
  return { answers, ...(idle && { end: idle.stopReason }), endAt: idleAt < 0 ? received.length : idleAt };
}

function updateOf(frame: Frame): { readonly [key: string]: any } | undefined {
  return frame.method === "session/update" ? (frame.params as { update: object }).update : undefined;
}

/** Checks that no update of a turn is sent before the turn began, among those of another one, or after its end. */
export function holdOutput(stage: AgentStage, id: string): void {
  const { endAt, end } = toldOf(stage, id);
  const said = stage.peer.received.flatMap((frame, index) => {
    const text = updateOf(frame)?.content?.text;
    return typeof text === "string" && text.startsWith(`${id} `) ? [index] : [];
  });
  hold(
    said.every((index) => index < endAt),
    `nothing of ${id} follows its end`,
    end,
    endAt,
    said,
  );
  const others = stage.peer.received.slice(said[0] ?? 0, said.at(-1) ?? 0).filter((frame) => {
    const text = updateOf(frame)?.content?.text;
    return updateOf(frame)?.sessionUpdate === "agent_message_chunk" && !String(text).startsWith(`${id} `);
  });
  hold(others.length === 0, `nothing of another turn is among that of ${id}`, others);
}
