import { createInterface } from "node:readline";

// What both raw programs know of JSON-RPC: lines of JSON, and nothing of turnkit's.

/** A message as it stands on the wire. */
export type Frame = Record<string, any>;

/** The other side of a pipe of JSON lines. */
export interface RawPeer {
  /** Asks; settles with the answer's frame, an error too. */
  request(method: string, params: object): Promise<Frame>;
  notify(method: string, params: object): void;
  /** Settles when the other side ended its output. */
  readonly ended: Promise<void>;
}

/** Answers a request with a result, or throws an error object; `undefined` leaves the request open. */
export type Receive = (frame: Frame) => object | undefined | Promise<object>;

/** Joins two pipes to a peer. A request is handled as soon as its line is there, and so is what follows it. */
export function createRawPeer(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, receive: Receive): RawPeer {
  const open = new Map<unknown, (frame: Frame) => void>();
  const send = (frame: Frame) => void output.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
  const answer = async (frame: Frame) => {
    try {
      const result = await receive(frame);
      if (frame.id !== undefined && result !== undefined) send({ id: frame.id, result });
    } catch (error) {
      if (frame.id !== undefined) send({ id: frame.id, error });
    }
  };
  const lines = createInterface({ input });
  lines.on("line", (line) => {
    const frame = JSON.parse(line) as Frame;
    if (frame.method !== undefined) return void answer(frame);
    open.get(frame.id)?.(frame);
    open.delete(frame.id);
  });
  let serial = 0;
  return {
    request(method, params) {
      serial += 1;
      const id = `raw-${serial}`;
      send({ id, method, params });
      return new Promise((resolve) => open.set(id, resolve));
    },
    notify: (method, params) => send({ method, params }),
    ended: new Promise((resolve) => lines.on("close", resolve)),
  };
}
