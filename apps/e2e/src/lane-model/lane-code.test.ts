import { createGate, type Gate, installManualClock } from "@turnkit/testing";
import { type Channel, createConnection, type Lane, type Message, type Receiver } from "@turnkit/transport";
import { test } from "vitest";
import { hold, runSchedules, turn } from "../race/schedule.js";
import { after, BUDGET, begin, type Frame, isDone, type Program, programs, type State, stepsOf } from "./rule.js";

/** The code at the place of the model: the same frames, listeners that spend their time by the same programs. */
function createCode() {
  let receiver: Receiver | undefined;
  let isPaused = false;
  const channel: Channel = {
    send: () => undefined,
    start(one) {
      receiver = one;
    },
    pause() {
      isPaused = true;
    },
    resume() {
      isPaused = false;
    },
    close: async () => undefined,
    closed: new Promise(() => undefined),
  };
  const connection = createConnection(channel, { limits: { waitingMessages: BUDGET } });
  const lanes: readonly Lane[] = [connection.openLane("s-0"), connection.openLane("s-1")];
  const started: string[][] = [[], []];
  const gates = new Map<string, Gate>();
  const before: Promise<unknown>[][] = [[], []];
  let arrived = 0;
  const first = connection.request("_before", {});

  const listen = (program: Program, lane: number, name: string): Promise<void> | undefined => {
    started[lane]?.push(name);
    const work = workOf(program, lane, name)?.then(() => undefined);
    if (work !== undefined) before[lane]?.push(work);
    return work;
  };
  const workOf = (program: Program, lane: number, name: string): Promise<unknown> | undefined => {
    if (program === "quick") return undefined;
    if (program === "awaits") return first;
    if (program === "chained") return Promise.all(before[lane] ?? []);
    if (program !== "slow") return connection.request("_ask", {});
    const gate = createGate();
    gates.set(name, gate);
    return gate.opened;
  };

  connection.route = (method) => ({
    receive(params: { readonly lane: number; readonly program: Program }) {
      arrived += 1;
      const name = `${method}-${arrived}`;
      const { lane, program } = params;
      if (method === "update") lanes[lane]?.notify(1, () => listen(program, lane, name));
      else if (method === "end") void lanes[lane]?.settled(lanes[lane].now());
      else lanes[lane]?.begin(1, () => void started[lane]?.push(name));
    },
  });

  return {
    started,
    isPaused: () => isPaused,
    end: (name: string) => gates.get(name)?.open(),
    deliver(frame: Frame): void {
      const { kind, ...params } = frame;
      // Requests count from 0, calls of the model from 1.
      if (frame.kind === "answer") receiver?.message({ jsonrpc: "2.0", id: frame.call - 1, result: {} } as Message, 1);
      else receiver?.message({ jsonrpc: "2.0", method: kind, params } as Message, 1);
    },
  };
}

test("the code starts what the model starts, and reads when the model reads, in every order", async () => {
  await runSchedules(async ({ random, story }) => {
    using clock = installManualClock();
    const script = Array.from({ length: 3 + random.below(5) }, (_, n): Frame => {
      const lane = random.below(2);
      if (n > 0 && random.below(4) === 0) return { kind: "end", lane };
      const program = n < 3 ? random.pick<Program>(programs) : "quick";
      return { kind: "update", lane, program };
    });
    const code = createCode();
    story.push(
      JSON.stringify(
        script.map((frame) =>
          "lane" in frame ? `${frame.lane} ${"program" in frame ? frame.program : frame.kind}` : "",
        ),
      ),
    );
    let model: State = begin(script);
    for (let steps = stepsOf(model, "is"); steps.length > 0; steps = stepsOf(model, "is")) {
      const step = steps[random.below(steps.length)] as string;
      story.push(step);
      const [verb, what = ""] = step.split(" ");
      if (verb === "read") code.deliver(model.wire[0] as Frame);
      if (verb === "end") code.end(what);
      if (verb === "wait") await clock.advance(4_000);
      model = after(model, step, "is");
      await turn();
      const expected = model.lanes.map(({ started }) => started);
      hold(JSON.stringify(code.started) === JSON.stringify(expected), "both started the same", code.started, expected);
      hold(code.isPaused() === model.isFull, "both read or do not", code.isPaused(), model.isFull);
    }
    hold(isDone(model), "the model comes to an end");
  });
}, 120_000);
