import { SessionLogError } from "@turnkit/agent";
import { installManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { faultyLog, never, type WriterFault } from "./faulty-log.js";
import { createLatch, untilCancelled } from "./latch.js";
import { RawClient } from "./raw-client.js";

const text = (words: string) => [{ type: "text", text: words }];

const full = async () => {
  throw new SessionLogError("failed", "The disk is full.");
};

it.each([
  ["commit", {}],
  ["end of the writer", { dispose: never }],
] satisfies [string, WriterFault][])(
  "SHARE-01 defect G16: a %s of the log that never settles holds up the end of a gateway for 10 s",
  async (_, fault) => {
    const clock = installManualClock();
    onTestFinished(() => clock.uninstall());
    let now: WriterFault | undefined;
    const { gateway } = gatewayOf({}, { log: () => faultyLog(() => now), onDiagnostic: () => undefined });
    const session = await (await clientOf(gateway)).newSession({ cwd: "/work" });
    let commits = 0;
    const commit = () => {
      commits += 1;
      return never();
    };
    now = { ...fault, commit };
    session.prompt("Go");
    await clock.advance(0);
    expect(commits).toBe(1);
    let isClosed = false;
    void gateway.close().then(() => {
      isClosed = true;
    });
    await clock.advance(9_999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    expect(isClosed).toBe(true);
    await clock.advance(0);
    expect(clock.timers).toBe(0);
  },
);

it("SHARE-07 defect G16: a commit of the log that does not settle in 30 s fails its prompt", async () => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  let now: WriterFault | undefined;
  const reported: string[] = [];
  const { gateway } = gatewayOf(
    { prompt: untilCancelled },
    { log: () => faultyLog(() => now), onDiagnostic: ({ code }) => reported.push(code) },
  );
  const session = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  now = { commit: never };
  const turn = session.prompt("Go");
  await clock.advance(29_999);
  expect(reported).toEqual([]);
  await clock.advance(1);
  expect(await turn.ended).toMatchObject({ stopReason: "error", error: { code: -32603 } });
  expect(reported).toEqual(["log_failed"]);
});

it.each(["v1", "v2", "seed"] as const)(
  "SHARE-07 defect G17: a prompt whose message cannot be stored fails, its turn ends, and the others are told (client of %s)",
  async (dialect) => {
    let now: WriterFault | undefined;
    const { gateway } = gatewayOf(
      { prompt: untilCancelled },
      { log: () => faultyLog(() => now), onDiagnostic: () => undefined },
    );
    const one = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
    const two = await attach(await clientOf(gateway), one.id);
    now = { commit: full };
    const { stopReason, error } = await one.prompt("Go").ended;
    expect([stopReason, error?.code, error?.message]).toEqual([
      "error",
      -32603,
      expect.stringMatching(
        /^the session cannot be stored, so the prompt was cancelled\. .*send it again when its storage works$/,
      ),
    ]);
    await expect
      .poll(() => two.state.activity)
      .toMatchObject({ state: "idle", stopReason: "error", error: { code: -32603 } });
    expect([...two.state.timeline].map(({ type }) => type)).toEqual(["notice", "message"]);
  },
);

it("SHARE-07 defect G17: a prompt of version 2 whose message cannot be stored is never answered as accepted", async () => {
  let now: WriterFault | undefined;
  const { gateway } = gatewayOf(
    { prompt: untilCancelled },
    { log: () => faultyLog(() => now), onDiagnostic: () => undefined },
  );
  const raw = new RawClient(gateway.open({ id: "raw" }));
  await raw.initialize(2);
  const { sessionId } = (await raw.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  now = { commit: full };
  const { result, error } = await raw.request("session/prompt", { sessionId, prompt: text("Go") });
  expect([result, error?.code]).toEqual([undefined, -32603]);
});

it("SHARE-07 defect G17: everybody is told once that the session is not stored any more", async () => {
  let now: WriterFault | undefined;
  const { gateway } = gatewayOf(
    {
      async prompt(turn) {
        now = { commit: full };
        await turn.say("Heard.");
        await turn.say("More.");
      },
    },
    { log: () => faultyLog(() => now), onDiagnostic: () => undefined },
  );
  const one = await (await clientOf(gateway)).newSession({ cwd: "/work" });
  await one.prompt("Go").ended;
  const notices = [...one.state.timeline].filter(({ type }) => type === "notice");
  expect(notices).toMatchObject([{ title: "The session is not stored any more" }]);
});

it("SHARE-07 defect G17: a prompt is not answered before its message is stored, also if its agent ends", async () => {
  let now: WriterFault | undefined;
  const [asked, latch] = [createLatch(), createLatch()];
  const { gateway, agents } = gatewayOf(
    { prompt: untilCancelled },
    { log: () => faultyLog(() => now), onDiagnostic: () => undefined },
  );
  const raw = new RawClient(gateway.open({ id: "raw" }));
  await raw.initialize(2);
  const { sessionId } = (await raw.request("session/new", { cwd: "/work", mcpServers: [] })).result;
  const commit = async () => {
    asked.open();
    await latch.opened;
    await full();
  };
  now = { commit };
  const answer = raw.request("session/prompt", { sessionId, prompt: text("Go") });
  await asked.opened;
  await agents.at(-1)?.close();
  await raw.request("session/list", {});
  latch.open();
  const { result, error } = await answer;
  expect([result, error?.code]).toEqual([undefined, -32603]);
});

it.each(["v1", "v2", "seed"] as const)(
  "NATS-08 defect G31: a turn whose answer cannot be stored ends with an error for all clients (client of %s)",
  async (dialect) => {
    let now: WriterFault | undefined;
    const { gateway } = gatewayOf(
      {
        async prompt(turn) {
          await turn.say("Heard.");
          now = { commit: full };
        },
      },
      { log: () => faultyLog(() => now), onDiagnostic: () => undefined },
    );
    const one = await (await clientOf(gateway, dialect)).newSession({ cwd: "/work" });
    const two = await attach(await clientOf(gateway), one.id);
    const { stopReason, error } = await one.prompt("Go").ended;
    expect([stopReason, error?.code]).toEqual(["error", -32603]);
    expect(error?.message).toContain("stored");
    await expect.poll(() => two.state.activity).toMatchObject({ state: "idle", stopReason: "error" });
  },
);
