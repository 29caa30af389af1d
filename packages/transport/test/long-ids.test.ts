import { expect, test } from "vitest";
import { createByteStreamChannel, createMemoryPair } from "../src/channels/index.js";
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

test.each([
  [19, true],
  [64, true],
  [65, true],
  [308, true],
  [1_000, true],
  [1_001, false],
])("defect B13: the answer repeats an id of %i digits, or refuses it: repeats %s", async (digits, isTaken) => {
  for (const id of ["", "-"].map((sign) => sign + "1234567891".repeat(101).slice(0, digits))) {
    const line = `{"jsonrpc":"2.0","id":${id},"method":"_x"}\n`;
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(line)),
    });
    const { readable: written, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const channel = createByteStreamChannel({ readable, writable });
    createConnection(channel, { route: () => ({ receive: () => ({}) }) });
    const answer = new TextDecoder().decode((await written.getReader().read()).value);
    if (isTaken) expect(answer).toContain(`"id":${id},`);
    else expect(JSON.parse(answer)).toMatchObject({ id: null, error: { code: -32600 } });
    await channel.close();
  }
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
