import type { createAgent } from "@turnkit/agent";
import { createRandom } from "@turnkit/testing";

type Turn = Parameters<Parameters<typeof createAgent>[0]["prompt"]>[0];

/**
 * Emits `count` events of all kinds, chosen by a seed. `each` is called after every event.
 */
export async function richTurn(turn: Turn, count: number, each: (done: number) => unknown, seed = 1): Promise<void> {
  const { session } = turn;
  const random = createRandom(seed);
  const calls: ReturnType<Turn["toolCall"]>[] = [];
  const terminals: ReturnType<Turn["session"]["terminal"]>[] = [];
  const pick = <T>(items: readonly T[]): T | undefined => items[random.below(items.length)];
  const acts: (() => unknown)[] = [
    () => turn.say(`word ${random.below(1000)} `),
    () => turn.say(`word ${random.below(1000)} `),
    () => turn.think(`thought ${random.below(1000)} `),
    () => calls.push(turn.toolCall({ title: `Call ${calls.length}`, kind: "read", rawInput: { at: calls.length } })),
    () => pick(calls)?.append({ type: "content", content: { type: "text", text: `line ${random.below(100)}` } }),
    () => calls.splice(0, 1)[0]?.finish({ rawOutput: { done: true } }),
    () => {
      const terminal = session.terminal({ command: `run ${terminals.length}` });
      terminals.push(terminal);
      calls[0]?.append({ type: "terminal", terminalId: terminal.terminalId });
    },
    () => pick(terminals)?.write(`output ${random.below(1000)}\n`),
    () => terminals.splice(0, 1)[0]?.exit({ exitCode: 0 }),
    () => turn.plan([{ content: `Step ${random.below(10)}`, priority: "high", status: "pending" }]),
    () => session.setTitle(`Title ${random.below(100)}`),
    () => session.reportUsage({ used: random.below(1001), size: 1000 }),
    () => turn.endMessage(),
  ];
  for (let done = 1; done <= count; done += 1) {
    await pick(acts)?.();
    await each(done);
  }
  for (const call of calls) call.finish();
}
