import { createTerminalHandlers, type HostTerminal, type TerminalExit } from "@turnkit/client";
import { createGate, type Frame } from "@turnkit/testing";
import { RpcError } from "@turnkit/transport";
import { describe, test } from "vitest";
import { type ClientStage, sessionId, stageSession } from "./client-stage.js";
import { type Actor, hold, runSchedules, type Schedule } from "./schedule.js";

/** A command that runs by the schedule, and the calls that its host got. */
class StagedCommand implements HostTerminal {
  readonly exited: Promise<TerminalExit>;
  readonly reported: string[] = [];
  #exit!: (exit: TerminalExit) => void;
  #ended: TerminalExit | undefined;

  constructor() {
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
  }

  exit(exitCode: number | null): void {
    this.#ended ??= { exitCode, signal: exitCode === null ? "SIGTERM" : null };
    this.#exit(this.#ended);
  }

  output() {
    this.reported.push("output");
    return { output: "text", truncated: false, ...(this.#ended && { exitStatus: this.#ended }) };
  }

  async kill(): Promise<void> {
    this.reported.push("kill");
    await undefined;
    this.exit(null);
  }

  async release(): Promise<void> {
    this.reported.push("release");
    await undefined;
    this.exit(null);
  }

  onData(): () => void {
    return () => undefined;
  }
}

describe("a terminal of the client", () => {
  test("its start, exit, kill, release, waits, withdrawal, and the end of its session in any order", async () => {
    await runSchedules(async (schedule) => {
      const { random } = schedule;
      const started = createGate();
      const command = new StagedCommand();
      const fails = random.chance(0.1);
      let made = 0;
      const terminals = createTerminalHandlers({
        async create() {
          await started.opened;
          if (fails) throw RpcError.internalError("there is no such program");
          made++;
          return command;
        },
      });
      const stage = await stageSession(schedule, { speak: "v1", terminals });
      const { client, peer } = stage;
      const terminalId = () => answerTo(peer.received, "create")?.result as { terminalId: string } | undefined;
      const ask = (id: string, method = id.split(" ")[0]): Actor => [
        {
          name: id,
          when: () => terminalId() !== undefined,
          run: () => peer.send({ id, method: `terminal/${method}`, params: { sessionId, ...terminalId() } }),
        },
      ];
      let alive = true;
      await schedule.run([
        [
          {
            name: "create",
            run: () => peer.send({ id: "create", method: "terminal/create", params: { sessionId, command: "x" } }),
          },
        ],
        [{ name: "the command has started", run: () => started.open() }],
        random.chance(0.8) ? [{ name: "the command exits", run: () => command.exit(0) }] : [],
        random.chance(0.2)
          ? [{ name: "withdraw the creation", run: () => peer.notify("$/cancel_request", { requestId: "create" }) }]
          : [],
        ask("wait 1", "wait_for_exit"),
        ask("wait 2", "wait_for_exit"),
        random.chance(0.3)
          ? [{ name: "withdraw a wait", run: () => peer.notify("$/cancel_request", { requestId: "wait 2" }) }]
          : [],
        [...ask("output 1"), ...ask("output 2")],
        [...ask("kill 1"), ...ask("kill 2")],
        [...ask("release 1"), ...ask("release 2"), ...ask("output 3")],
        endings(
          stage,
          () => stage.session.close(),
          schedule,
          () => {
            alive = false;
          },
        ),
      ]);
      started.open();
      if (alive) command.exit(0);
      await new Promise(setImmediate);
      for (const id of schedule.story.filter((name) => /^(create|wait|output|kill|release)/.test(name))) {
        const answers = peer.received.filter((frame) => frame.id === id && !("method" in frame));
        hold(alive ? answers.length === 1 : answers.length <= 1, `one answer to ${id}`, answers);
      }
      if (alive) holdRelease(peer.received);
      void schedule.mustSettle("close", client.close());
      if (made > 0) void schedule.mustSettle("the command", command.exited);
      await schedule.settle();
      const releases = command.reported.filter((word) => word === "release").length;
      hold(releases === made, "what was started is released once", command.reported, made);
      hold(
        !/release.*(kill|output)/.test(command.reported.join()),
        "nothing is asked of it after that",
        command.reported,
      );
    });
  }, 60_000);
});

function answerTo(received: readonly Frame[], id: string): Frame | undefined {
  return received.find((frame) => frame.id === id && !("method" in frame));
}

/** Checks that a released terminal is not found again, and that open waits have settled. */
function holdRelease(received: readonly Frame[]): void {
  if (answerTo(received, "release 1")?.error !== undefined) return;
  for (const id of ["release 2", "output 3"]) {
    const answer = answerTo(received, id);
    if (answer !== undefined) hold(answer.error?.code === -32002, `${id} comes too late`, answer);
  }
}

/** At random nothing ends it, or the session, the connection or the agent. */
function endings(
  { client, peer, calls }: ClientStage,
  closeSession: () => Promise<void>,
  schedule: Schedule,
  note: () => void,
) {
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    "end the session": () => {
      const closing = closeSession();
      setImmediate(() => calls("session/close").forEach((call) => void peer.answer(call, {})));
      return closing;
    },
    "end the connection": () => client.close(),
    "the agent dies": () => peer.close(),
  };
  const name = schedule.random.pick(["nothing", ...Object.keys(ways)] as [string, ...string[]]);
  const way = ways[name];
  const run = () => {
    note();
    if (way)
      void schedule.mustSettle(
        name,
        way().catch(() => undefined),
      );
  };
  return way ? [{ name, run }] : [];
}
