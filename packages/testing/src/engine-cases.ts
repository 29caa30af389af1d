import type { EngineCase, EngineSubject, OwnershipUnderTest } from "./engine-under-test.js";
import { all, infoOf, refuses, same, say } from "./log-checks.js";

/**
 * Returns the test cases for implementations of `Engine` of `@turnkit/gateway`: owners, their loss, and commands to them. An
 * engine is a `SessionLog` too, so it also has to pass `sessionLogCases`.
 *
 * @example
 * for (const { title, run } of engineCases()) {
 *   test(title, async () => run({ engine, other, pass: (ms) => clock.advance(ms) }));
 * }
 */
export function engineCases(): readonly EngineCase[] {
  return [...ownerCases(), ...commandCases()];
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
      title: "gives a session at once to another owner when the first one ends, which has then lost nothing",
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
      title: "lets one of many win that open a lost session at once",
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

function commandCases(): readonly EngineCase[] {
  return [
    {
      title: "brings a command to the owner, and the answer back, as JSON",
      async run(subject) {
        const owner = await made(subject);
        const heard: object[] = [];
        const answer = { granted: true, left: undefined };
        owner.onCommand(async (command) => {
          heard.push(command);
          return answer;
        });
        const command = { type: "handover", deep: [{ text: "\u2028 😀" }], left: undefined };
        const answered = await subject.other.command("s", command);
        same("the command", heard, [{ type: "handover", deep: [{ text: "\u2028 😀" }] }]);
        same("the answer", answered, { granted: true });
        same("copies", [heard[0] === command, answered === answer], [false, false]);
        await owner[Symbol.asyncDispose]();
      },
    },
    {
      title: "brings a command to nobody but the owner of now",
      async run(subject) {
        const { engine, other, pass } = subject;
        await refuses("not_found", "a command to a session that is not there", () => engine.command("s", {}));
        const first = await made(subject);
        first.onCommand(async () => ({ by: "first" }));
        await pass(engine.ttlMs + 1);
        await refuses("not_found", "a command to a lost session", () => other.command("s", {}));
        const second = await other.open("s");
        second.onCommand(async () => ({ by: "second" }));
        await first[Symbol.asyncDispose]();
        same("who answers", await engine.command("s", {}), { by: "second" });
        await second[Symbol.asyncDispose]();
        await refuses("not_found", "a command to a session that was put back", () => engine.command("s", {}));
      },
    },
    {
      title: "says that a command failed: the owner refuses it, has no handler, or does not answer in time",
      async run(subject) {
        const { engine, other, pass } = subject;
        const owner = await made(subject);
        await refuses("failed", "a command without a handler", () => other.command("s", {}));
        owner.onCommand(() => Promise.reject(new Error("no")));
        await refuses("failed", "a command that is refused", () => other.command("s", {}));
        owner.onCommand(() => new Promise(() => undefined));
        const outcome = refuses("failed", "a command without an answer", () => other.command("s", {}));
        for (let times = 0; times < 4; times += 1) {
          await pass(engine.ttlMs / 3);
          await owner.renew();
        }
        await outcome;
        await owner[Symbol.asyncDispose]();
      },
    },
  ];
}
