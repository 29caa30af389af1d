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
    // As with a real storage, an event is lost if the process dies before the next commit.
    const waiting: Parameters<typeof owner.append>[0][] = [];
    const store = (): void => {
      for (const event of waiting.splice(0)) void owner.append(event);
    };
    return {
      lost: owner.lost,
      append: (event) => void waiting.push(event),
      async commit() {
        // A turn of the event loop, in which the process may die.
        await new Promise((resolve) => setImmediate(resolve));
        if (isDead) return never;
        store();
        return owner.commit();
      },
      renew: () => (isDead ? never : owner.renew()),
      onConnect: (handler) =>
        owner.onConnect((channel) => {
          if (isDead) throw new Error("The process is dead.");
          handler(kept(channel));
        }),
      [Symbol.asyncDispose]: async () => {
        if (isDead) return;
        store();
        await owner[Symbol.asyncDispose]();
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
