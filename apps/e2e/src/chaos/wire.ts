import { createBytePair, createFaultyChannel } from "@turnkit/testing";
import type { Channel } from "@turnkit/transport";
import { tapChannel } from "@turnkit/transport/trace";
import type { Life } from "./plan.js";

/** Wire between the client and its agent: faults of bytes, faults of frames, and counters. */
export type Wire = {
  readonly through: (channel: Channel) => Channel;
  /** Breaks it, once there is one. */
  readonly cut: () => void;
  readonly agentPid: () => number | undefined;
};

export function createWire(life: Life, onFrame: (count: number) => void): Wire {
  let pid: number | undefined;
  let cut = (): void => {};
  let frames = 0;
  return {
    through(channel) {
      pid = (channel as Channel & { readonly pid: number }).pid;
      const harmed = life.bytes ? throughBytes(channel, life.bytes) : channel;
      const faulty = createFaultyChannel(harmed, life.faults ?? { seed: 0 });
      cut = () => faulty.cut();
      return tapChannel(faulty, () => onFrame(++frames), { secrets: "show" });
    },
    cut: () => cut(),
    agentPid: () => pid,
  };
}

/** The same channel, but what passes goes as bytes through a pipe with faults. */
function throughBytes(channel: Channel, faults: NonNullable<Life["bytes"]>): Channel {
  const [near, far] = createBytePair(faults);
  join(far, channel);
  join(channel, far);
  // The end of one is the end of the other; who waits for the near one waits for the process as well.
  void far.closed.then(() => channel.close());
  void channel.closed.then((reason) => far.close(reason));
  const closed = near.closed.then(async (reason) => {
    await channel.close();
    const end = await channel.closed;
    return reason.kind === "local" ? reason : end;
  });
  return new Proxy(near, {
    get(target, name) {
      if (name === "closed") return closed;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function join(from: Channel, to: Channel): void {
  from.start({
    message: (message) => void to.send(message as Parameters<Channel["send"]>[0]),
    invalidLine: () => {},
  });
}
