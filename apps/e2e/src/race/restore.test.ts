import type { RestoreOutcome, Session } from "@turnkit/client";
import { messageText } from "@turnkit/session";
import type { Frame } from "@turnkit/testing";
import { describe, expect, test } from "vitest";
import { type ClientStage, sessionId, stageSession } from "./client-stage.js";
import { type Actor, hold, runSchedules, type Schedule, turn } from "./schedule.js";

/** An agent of version 1 that goes on with a session, but does not tell what was said. */
const withoutLoad = {
  protocolVersion: 1,
  agentCapabilities: { sessionCapabilities: { resume: {}, close: {} } },
};

const replay = ["r1", "r2", "r3"];

describe("a restore beside an open session", () => {
  test("its replay, its answer, updates of both, a second restore, closing and death in any order", async () => {
    const came = { replayed: 0, resumed: 0, unavailable: 0 };
    await runSchedules(async (schedule) => {
      const { random } = schedule;
      const forgets = random.chance(0.25);
      const stage = await stageSession(schedule, forgets ? { speak: "v1", introduction: withoutLoad } : {});
      const { session: old, client } = stage;
      const outcomes: RestoreOutcome[] = [];
      let live = "";
      let touched = false;
      const restore = () => {
        const restoring = client.restore(sessionId, { cwd: "/work" });
        void schedule.mustSettle("restore", restoring).then((outcome) => outcomes.push(outcome));
      };
      const isRestoring = () => schedule.story.includes("restore");
      const end = endings(stage, old, schedule, () => {
        touched = true;
      });
      const agent = agentSide(stage, schedule, (text) => {
        // Without a replay, all updates are live.
        if (forgets && !old.state.closed) live += text;
        hold(forgets || !textOf(old).includes("r"), "the replay is apart", textOf(old));
      });
      await schedule.run([
        [{ name: "restore", run: restore }],
        // What is on its way when the restore is asked for may be of either; so this has arrived by then.
        ["l1", "l2"].map((text) => ({
          name: `live ${text}`,
          run: async () => {
            if (isRestoring() || touched) return;
            live += text;
            stage.say(text);
            await turn();
          },
        })),
        ["o1", "o2"].map((text) => ({ name: `other ${text}`, run: () => stage.say(text, "s-2") })),
        random.chance(0.5) ? [{ name: "restore again", when: isRestoring, run: restore }] : [],
        agent.actor,
        end,
      ]);
      if (!touched) for (const call of agent.calls()) stage.peer.answer(call, {});
      await turn();
      const before = { closed: old.state.closed, outcomes: [...outcomes] };
      void schedule.mustSettle("close", client.close());
      await schedule.settle();
      for (const { status } of outcomes) came[status]++;
      holdOutcomes(outcomes, { forgets, answer: agent.answer, touched });
      const back = outcomes.find(({ status }) => status !== "unavailable");
      if (!touched) hold(before.closed === (back !== undefined), "the old session ends with the restore alone", before);
      const isExact = !forgets || !touched;
      hold(!isExact || textOf(old) === live, "the old session holds what was said to it", textOf(old), live);
      hold(stage.calls("session/new").length === 1, "no session is made in its place");
    });
    expect(Math.min(...Object.values(came))).toBeGreaterThan(50);
  }, 60_000);
});

function textOf({ state }: Session): string {
  return [...state.timeline].map((entry) => (entry.type === "message" ? messageText(entry) : "")).join("");
}

/** The agent replays, then answers well or not, then says something more. */
function agentSide(stage: ClientStage, { random }: Schedule, look: (text: string) => void) {
  const calls = () => [...stage.calls("session/load"), ...stage.calls("session/resume")];
  const asked = () => calls().length > 0;
  const answer = random.pick<"good" | number>(["good", "good", -32002, -32000, -32603]);
  const finish = () => {
    const call = calls()[0] as Frame;
    if (answer === "good") stage.peer.answer(call, {});
    else stage.peer.refuse(call, { code: answer, message: "no" });
  };
  const said = replay.map((text) => ({
    name: `replay ${text}`,
    when: asked,
    run: async () => {
      stage.say(text);
      await turn();
      look(text);
    },
  }));
  return { actor: [...said, { name: `answer ${answer}`, run: finish }], calls, answer };
}

/** At random nothing ends it, or the old session, the connection or the agent. */
function endings({ client, peer }: ClientStage, old: Session, schedule: Schedule, note: () => void): Actor {
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    "close the old session": () => {
      const closing = old.close();
      const call = () => peer.received.find(({ method }) => method === "session/close");
      void turn().then(() => call() && peer.answer(call() as Frame, {}));
      return closing;
    },
    "close the connection": () => client.close(),
    "the agent dies": () => peer.close(),
  };
  const name = schedule.random.pick(["nothing", "nothing", ...Object.keys(ways)] as [string, ...string[]]);
  const way = ways[name];
  if (way === undefined) return [];
  const run = () => {
    note();
    void schedule.mustSettle(
      name,
      way().catch(() => undefined),
    );
  };
  return [{ name, run }];
}

type Run = { readonly forgets: boolean; readonly answer: "good" | number; readonly touched: boolean };

function holdOutcomes(outcomes: readonly RestoreOutcome[], { forgets, answer, touched }: Run): void {
  const whys = { [-32002]: "unknown", [-32000]: "login", [-32603]: "refused" } as const;
  outcomes.forEach((outcome, n) => {
    if (outcome.status === "unavailable") {
      const { reason } = outcome;
      const expected = [
        answer === "good" ? "busy" : whys[answer as keyof typeof whys],
        "busy",
        ...(touched ? ["ended"] : []),
      ];
      hold(expected.includes(reason), "a failure says why", reason, expected);
      return;
    }
    hold(outcome.status === (forgets ? "resumed" : "replayed"), "the outcome tells what came of it", outcome.status);
    const text = textOf(outcome.session);
    if (n === 0 && answer === "good")
      hold(text === replay.join("") || touched, "all of the replay, once, in order", text);
  });
}
