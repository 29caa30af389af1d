import { type Inbox, inboxOf, note, takes } from "./engine-channels.js";
import type { EngineCase, EngineSubject, OwnershipUnderTest } from "./engine-under-test.js";
import { all, infoOf, refuses, same, say } from "./log-checks.js";

/**
 * Returns the test cases for implementations of `Engine` of `@turnkit/gateway`: owners, their loss, and channels to them. An
 * engine is a `SessionLog` too, so it also has to pass `sessionLogCases`.
 *
 * @example
 * for (const { title, run } of engineCases()) {
 *   test(title, async () => run({ engine, other, pass: (ms) => clock.advance(ms) }));
 * }
 */
export function engineCases(): readonly EngineCase[] {
  return [...ownerCases(), ...channelCases()];
}

/** Opens a session that the first engine has made, and whose owner has ended. */
async function made({ engine }: EngineSubject): Promise<OwnershipUnderTest> {
  const owner = await engine.open("s", infoOf("s"));
  owner.append(say("first"));
  await owner.commit();
  return owner;
}

async function isLost({ lost }: OwnershipUnderTest): Promise<boolean> {
  return Promise.race([lost.then(() => true), Promise.resolve().then(() => false)]);
}

function ownerCases(): readonly EngineCase[] {
  return [
    {
      title: "keeps an owner that renews its ownership, for any time",
      async run(subject) {
        const { engine, other, pass } = subject;
        const owner = await made(subject);
        for (let times = 0; times < 9; times += 1) {
          await pass(engine.ttlMs / 3);
          await owner.renew();
        }
        await refuses("locked", "a second owner", () => other.open("s"));
        await refuses("locked", "a delete while there is an owner", () => other.delete("s"));
        same("lost", await isLost(owner), false);
        owner.append(say("second"));
        await owner.commit();
        same("what is stored", await all(other.read("s")), [say("first"), say("second")]);
        await owner[Symbol.asyncDispose]();
      },
    },
    {
      title:
        "gives a session to another owner after the time without a renewal, and stores nothing of the first one since",
      async run(subject) {
        const { engine, other, pass } = subject;
        const owner = await made(subject);
        await pass(engine.ttlMs + 1);
        same("lost", await isLost(owner), true);
        const next = await other.open("s");
        await refuses("failed", "an append of the first owner", async () => {
          await owner.append(say("too late"));
          await owner.commit();
        });
        await refuses("failed", "a commit of the first owner", () => owner.commit());
        await refuses("failed", "a renewal by the first owner", () => owner.renew());
        next.append(say("second"));
        await next.commit();
        await owner[Symbol.asyncDispose]();
        await refuses("locked", "a third owner", () => engine.open("s"));
        next.append(say("third"));
        await next.commit();
        same("what is stored", await all(engine.read("s")), [say("first"), say("second"), say("third")]);
        await next[Symbol.asyncDispose]();
      },
    },
    {
      title: "stores nothing after the time without a renewal, before another owner comes too",
      async run(subject) {
        const { engine, pass } = subject;
        const owner = await made(subject);
        await pass(engine.ttlMs + 1);
        await refuses("failed", "an append", async () => {
          await owner.append(say("too late"));
          await owner.commit();
        });
        await owner[Symbol.asyncDispose]();
        same("what is stored", await all(engine.read("s")), [say("first")]);
      },
    },
    {
      title: "gives a session immediately to another owner when the first one ends; the first one reports no loss",
      async run(subject) {
        const { engine, other, pass } = subject;
        const owner = await made(subject);
        await owner[Symbol.asyncDispose]();
        const next = await other.open("s");
        await pass(engine.ttlMs / 2);
        await next.renew();
        await pass(engine.ttlMs / 2 + 1);
        same("lost by the first, lost by the second", [await isLost(owner), await isLost(next)], [false, false]);
        await next[Symbol.asyncDispose]();
      },
    },
    {
      title: "gives a lost session to one of many owners that open it at the same time",
      async run(subject) {
        const { engine, other, pass } = subject;
        await made(subject);
        await pass(engine.ttlMs + 1);
        const tries = await Promise.allSettled([engine, other, engine, other].map((one) => one.open("s")));
        const won = tries.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
        same("how many have won", won.length, 1);
        for (const owner of won) await owner[Symbol.asyncDispose]();
      },
    },
    {
      title: "deletes a session whose owner has lost it",
      async run(subject) {
        const { engine, other, pass } = subject;
        const owner = await made(subject);
        await pass(engine.ttlMs + 1);
        await other.delete("s");
        await owner[Symbol.asyncDispose]();
        await refuses("not_found", "to read what was deleted", () => all(engine.read("s")));
      },
    },
  ];
}

function channelCases(): readonly EngineCase[] {
  return [
    {
      title: "brings messages of any size between the owner and any other gateway, in both directions and in order",
      async run(subject) {
        const owner = await made(subject);
        const atOwner: Inbox[] = [];
        owner.onConnect((channel) => void atOwner.push(inboxOf(channel)));
        const [one, two] = [inboxOf(await subject.other.connect("s")), inboxOf(await subject.engine.connect("s"))];
        const sent = [note(1, "\u2028 \u{1f600}"), ...Array.from({ length: 300 }, (_, at) => note(at + 2, "piece"))];
        const large = [note(0, "x".repeat(3 * 1024 * 1024)), note(1)];
        for (const message of sent) one.channel.send(message);
        for (const message of large) two.channel.send(message);
        same("what the owner got of the first", await atOwner[0]?.first(sent.length), sent);
        same("what the owner got of the second", await atOwner[1]?.first(large.length), large);
        for (const message of sent) atOwner[0]?.channel.send(message);
        atOwner[1]?.channel.send(note(9, "for the second"));
        same("what the first got", await one.first(sent.length), sent);
        same("what the second got", await two.first(1), [note(9, "for the second")]);
        await owner[Symbol.asyncDispose]();
      },
    },
    {
      title: "opens a channel to nobody but the owner of now",
      async run(subject) {
        const { engine, other, pass } = subject;
        await refuses("not_found", "a channel to a session that is not there", () => engine.connect("s"));
        const receivers: string[] = [];
        const first = await made(subject);
        takes(first, () => receivers.push("first"));
        await pass(engine.ttlMs + 1);
        await refuses("not_found", "a channel to a lost session", () => other.connect("s"));
        const second = await other.open("s");
        takes(second, () => receivers.push("second"));
        await first[Symbol.asyncDispose]();
        await engine.connect("s");
        same("who got the channel", receivers, ["second"]);
        await second[Symbol.asyncDispose]();
        await refuses("not_found", "a channel to a session that was put back", () => engine.connect("s"));
      },
    },
    {
      title: "says that a channel was refused: the owner has no handler yet, or its handler throws",
      async run(subject) {
        const owner = await made(subject);
        await refuses("failed", "a channel without a handler", () => subject.other.connect("s"));
        owner.onConnect(() => {
          throw new Error("no");
        });
        await refuses("failed", "a channel that is refused", () => subject.other.connect("s"));
        await owner[Symbol.asyncDispose]();
      },
    },
    {
      title: "closes the channels of an owner that ends, after what was sent. Then the session can be opened",
      async run(subject) {
        const owner = await made(subject);
        const atOwner: Inbox[] = [];
        owner.onConnect((channel) => void atOwner.push(inboxOf(channel)));
        const opener = inboxOf(await subject.other.connect("s"));
        opener.channel.send(note(1));
        await atOwner[0]?.first(1);
        atOwner[0]?.channel.send(note(2));
        await owner[Symbol.asyncDispose]();
        await opener.channel.closed;
        same("what was sent before the end", opener.messages, [note(2)]);
        const next = await subject.other.open("s");
        await atOwner[0]?.channel.closed;
        await next[Symbol.asyncDispose]();
      },
    },
    {
      title: "closes the channels of an owner that has lost its session, on both sides",
      async run(subject) {
        const { engine, other, pass } = subject;
        const owner = await made(subject);
        const atOwner: Inbox[] = [];
        owner.onConnect((channel) => void atOwner.push(inboxOf(channel)));
        const opener = inboxOf(await other.connect("s"));
        await pass(engine.ttlMs + 1);
        await opener.channel.closed;
        await atOwner[0]?.channel.closed;
        const next = await other.open("s");
        await owner[Symbol.asyncDispose]();
        await next[Symbol.asyncDispose]();
      },
    },
    {
      title: "closes one channel on both sides if either side closes it, and no other channel",
      async run(subject) {
        const owner = await made(subject);
        const atOwner: Inbox[] = [];
        owner.onConnect((channel) => void atOwner.push(inboxOf(channel)));
        const openers: Inbox[] = [];
        for (let at = 0; at < 3; at += 1) openers.push(inboxOf(await subject.other.connect("s")));
        openers[0]?.channel.send(note(1));
        void openers[0]?.channel.close();
        await atOwner[0]?.channel.closed;
        same("what was sent before the close", atOwner[0]?.messages, [note(1)]);
        void atOwner[1]?.channel.close();
        await openers[1]?.channel.closed;
        openers[2]?.channel.send(note(3));
        same("what the other channel brings", await atOwner[2]?.first(1), [note(3)]);
        await owner[Symbol.asyncDispose]();
      },
    },
  ];
}
