import type { Channel, Engine } from "../src/index.js";

/** The engine of one process. From the call of `die` on it renews and stores nothing, and its channels are gone. */
export type MortalEngine = { readonly engine: Engine; die(): void };

export function mortal(shared: Engine): MortalEngine {
  let isDead = false;
  const channels = new Set<Channel>();
  const never = new Promise<never>(() => undefined);
  const kept = (channel: Channel): Channel => {
    channels.add(channel);
    void channel.closed.then(() => channels.delete(channel));
    return channel;
  };
  const open: Engine["open"] = async (id, info) => {
    if (isDead) return never;
    const owner = await shared.open(id, info);
    return {
      lost: owner.lost,
      append: (event) => (isDead ? undefined : owner.append(event)),
      commit: () => (isDead ? never : owner.commit()),
      renew: () => (isDead ? never : owner.renew()),
      onConnect: (handler) =>
        owner.onConnect((channel) => {
          if (isDead) throw new Error("The process is dead.");
          handler(kept(channel));
        }),
      [Symbol.asyncDispose]: async () => {
        if (!isDead) await owner[Symbol.asyncDispose]();
      },
    };
  };
  return {
    engine: { ...shared, open, connect: async (id) => (isDead ? never : kept(await shared.connect(id))) },
    die() {
      isDead = true;
      for (const channel of channels) void channel.close();
    },
  };
}
