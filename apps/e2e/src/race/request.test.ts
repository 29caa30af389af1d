import { createGate, createRawPeer } from "@turnkit/testing";
import { createConnection, isAcpError, isRpcError, RpcError } from "@turnkit/transport";
import { createMemoryPair } from "@turnkit/transport/channels";
import { describe, test } from "vitest";
import { type Actor, hold, runSchedules, type Schedule } from "./schedule.js";

const isAnswer = (frame: object) => !("method" in frame);

describe("a request of ours: its answer, its abort, and the end of the connection in any order", () => {
  test("settles once, tells the peer of an abort at most once, and is not hurt by what comes late", async () => {
    await runSchedules(async (schedule) => {
      const { random } = schedule;
      const [ours, theirs] = createMemoryPair();
      const connection = createConnection(ours);
      const peer = createRawPeer(theirs, { patienceMs: Number.POSITIVE_INFINITY });
      const onAbort = random.chance(0.5) ? "abandon" : "wait";
      const controllers = [new AbortController(), new AbortController()];
      const outcomes = new Map<number, string>();
      const ask = (n: number) => {
        const { signal } = controllers[n] as AbortController;
        const answer = connection.request<{ n: number }>("_ask", { n }, { signal, onAbort });
        const outcome = answer.then(
          (result) => hold(result.n === n, "an answer goes to its question", result, n),
          (error) => {
            if (!isRpcError(error) && !isAcpError(error)) throw error;
            return error.code;
          },
        );
        void schedule.mustSettle(`request ${n}`, outcome).then((code) => outcomes.set(n, String(code ?? "result")));
      };
      const asked = (n: number) => peer.received.find(({ params }) => params?.n === n);
      const answers = (n: number): Actor => [
        {
          name: `answer ${n}`,
          when: () => asked(n) !== undefined,
          run: () => {
            const question = asked(n) as { id: number };
            if (random.chance(0.5)) peer.answer(question, { n });
            else peer.refuse(question, { code: random.chance(0.5) ? -32800 : -32603, message: "no" });
          },
        },
        // A second answer to the same question is noise.
        { name: `answer ${n} again`, run: () => peer.answer(asked(n) as { id: number }, { n: -1 }) },
      ];
      await schedule.run([
        [0, 1].map((n) => ({ name: `ask ${n}`, run: () => ask(n) })),
        ...[0, 1].map((n): Actor => [{ name: `abort ${n}`, run: () => controllers[n]?.abort() }]),
        answers(0),
        answers(1),
        ending(schedule, { close: () => connection.close(), die: () => peer.close() }),
      ]);
      void schedule.mustSettle("close", connection.close());
      void schedule.mustSettle("closed", connection.closed);
      await schedule.settle();
      const cancels = peer.received.filter(({ method }) => method === "$/cancel_request");
      const ids = cancels.map(({ params }) => params?.requestId);
      hold(new Set(ids).size === ids.length, "one cancel for each request at most", ids);
      hold(outcomes.size === 2, "both have one outcome", [...outcomes]);
    });
  }, 60_000);
});

describe("a request of the peer: its handler, its cancel, and the end of the connection in any order", () => {
  test("has exactly one answer as long as there is a connection, and its signal fires once at most", async () => {
    await runSchedules(async (schedule) => {
      const { random } = schedule;
      const [ours, theirs] = createMemoryPair();
      const gates = [createGate(), createGate()];
      const fired = [0, 0];
      const ends = ["result", "own error", "as aborted"].map((_, index, all) => all[(index + random.below(3)) % 3]);
      let done = 0;
      const connection = createConnection(ours, {
        route: () => ({
          receive: async (params: { n: number }, { signal }) => {
            signal.addEventListener("abort", () => (fired[params.n] = (fired[params.n] ?? 0) + 1));
            await gates[params.n]?.opened;
            done++;
            if (ends[params.n] === "own error") throw RpcError.invalidParams("no");
            if (ends[params.n] === "as aborted") signal.throwIfAborted();
            return { n: params.n };
          },
        }),
      });
      const peer = createRawPeer(theirs, { patienceMs: Number.POSITIVE_INFINITY });
      let ended = false;
      const cancel = (n: number): Actor => [
        { name: `cancel ${n}`, run: () => peer.notify("$/cancel_request", { requestId: `q${n}` }) },
        { name: `cancel ${n} again`, run: () => peer.notify("$/cancel_request", { requestId: `q${n}` }) },
      ];
      await schedule.run([
        [0, 1].map((n) => ({ name: `ask ${n}`, run: () => peer.send({ id: `q${n}`, method: "_ask", params: { n } }) })),
        ...[0, 1].map((n): Actor => [{ name: `handler ${n} ends`, run: () => gates[n]?.open() }]),
        cancel(0),
        cancel(1),
        ending(schedule, {
          close: () => {
            ended = true;
            return connection.close();
          },
          die: () => {
            ended = true;
            return peer.close();
          },
        }),
      ]);
      for (const gate of gates) gate.open();
      void schedule.mustSettle("close", connection.close());
      void schedule.mustSettle("closed", connection.closed);
      await schedule.settle();
      const answers = peer.received.filter(isAnswer);
      for (const n of [0, 1]) {
        const count = answers.filter(({ id }) => id === `q${n}`).length;
        hold(ended ? count <= 1 : count === 1, `one answer to q${n}`, answers);
        hold((fired[n] ?? 0) <= 1, "a signal fires once", fired);
      }
      hold(ended || done === 2, "both handlers ran", done);
    });
  }, 60_000);
});

/** Ends the connection at random: from this side, from the other one, or not at all. */
function ending(schedule: Schedule, how: { close(): Promise<unknown>; die(): Promise<unknown> }): Actor {
  const which = schedule.random.below(3);
  if (which === 0) return [];
  const end = which === 1 ? how.close : how.die;
  return [{ name: which === 1 ? "close" : "die", run: () => void schedule.mustSettle("end", end()) }];
}
