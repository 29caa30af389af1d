import { expect, test } from "vitest";
import { createMemoryPair } from "../src/channels/index.js";
import { AcpError, createConnection } from "../src/index.js";
import { RawPeer } from "./raw-peer.js";

test.each([
  ["text", "i".repeat(70_000)],
  ["number", 10n ** 2_000n],
])("defect B13: an id that would fill its answer is refused: a long %s", async (_, id) => {
  const [ours, theirs] = createMemoryPair();
  createConnection(ours, { route: () => ({ receive: async () => ({}) }) });
  const peer = new RawPeer(theirs);
  peer.send({ jsonrpc: "2.0", id, method: "_x", params: {} });
  peer.send({ jsonrpc: "2.0", id: 1, method: "_x", params: {} });
  expect(await peer.answerTo(1)).toMatchObject({ result: {} });
  expect(peer.received[0]).toMatchObject({ id: null, error: { code: -32600 } });
});

test.each([true, false])(
  "defect B13: an answer that no channel takes, nor the error in its place, is reported (async: %s)",
  async (isAsync) => {
    const [ours] = createMemoryPair();
    const reports: string[] = [];
    const answered: boolean[] = [];
    const start = ours.start.bind(ours);
    let receive: ((message: unknown) => void) | undefined;
    const channel = {
      ...{ closed: ours.closed, pause() {}, resume() {}, close: () => ours.close() },
      send() {
        throw new AcpError("too_large", "It is too large.");
      },
      start(receiver: Parameters<typeof start>[0]) {
        receive = (message) => receiver.message(message as never, 1);
      },
    };
    createConnection(channel, {
      route: () => ({
        receive: (_params, call) => {
          call.afterResponse(() => answered.push(true));
          return isAsync ? Promise.resolve({}) : {};
        },
      }),
      onDiagnostic: ({ code }) => reports.push(code),
    });
    receive?.({ jsonrpc: "2.0", id: 1, method: "_x", params: {} });
    await new Promise(setImmediate);
    expect([reports, answered]).toEqual([["outgoing_invalid", "outgoing_invalid"], [true]]);
  },
);
