import { createMemoryLog } from "@turnkit/agent";
import { installManualClock } from "@turnkit/testing";
import { expect, it, onTestFinished } from "vitest";
import { createFigures, createMemoryEngine, type Figures } from "../src/index.js";
import { attach, clientOf, gatewayOf } from "./attached-clients.js";
import { createLatch, untilCancelled } from "./latch.js";
import { mortal } from "./mortal-engine.js";

const TTL = 9_000;
const quiet = { onDiagnostic: () => undefined };

/** Values of the samples by their names and labels. The form of each line is checked. */
function samplesOf(figures: Figures): ReadonlyMap<string, number> {
  const lines = figures.text().split("\n");
  expect(lines.splice(-2)).toEqual(["# EOF", ""]);
  const samples = new Map<string, number>();
  let family = "";
  for (const line of lines) {
    const [, keyword, name = ""] = /^# (TYPE|UNIT|HELP) (turnkit_[a-z_]+) \S.*$/.exec(line) ?? [];
    if (keyword === "TYPE") family = name;
    if (keyword !== undefined) expect(name).toBe(family);
    if (keyword === "UNIT") expect(line).toMatch(/_(seconds|bytes) \1$/);
    if (keyword !== undefined) continue;
    const [, sample = "", value = ""] =
      /^(turnkit_[a-z_]+(?:\{le="(?:\d+\.\d+|\+Inf)"\})?) (-?\d+(?:\.\d+)?)$/.exec(line) ?? [];
    expect(sample, line).toMatch(new RegExp(`^${family}(?:_total|_bucket\\{.*|_count|_sum)?$`));
    expect(samples.has(sample)).toBe(false);
    samples.set(sample, Number(value));
  }
  return samples;
}

const read = (figures: Figures, ...names: readonly string[]): readonly (number | undefined)[] => {
  const samples = samplesOf(figures);
  return names.map((name) => samples.get(`turnkit_${name}`));
};

const GAUGES = ["connections", "sessions", "owned_sessions", "attachments"];

it("SHARE-01 figures count clients, sessions, attachments, prompts and turns, and gauges fall to 0 again", async () => {
  const figures = createFigures();
  const { gateway } = gatewayOf({ prompt: (turn) => turn.say("Heard.") }, { figures });
  expect(read(figures, ...GAUGES)).toEqual([0, 0, 0, 0]);
  const ann = await clientOf(gateway);
  const session = await ann.newSession({ cwd: "/work" });
  await ann.newSession({ cwd: "/work" });
  const bob = await clientOf(gateway, "v1");
  await attach(bob, session.id);
  expect(read(figures, ...GAUGES)).toEqual([2, 2, 2, 3]);
  await session.prompt("one").ended;
  await session.prompt("two").ended;
  const turns = ["prompts_total", "turn_seconds_count", 'turn_seconds_bucket{le="3600.0"}'];
  await expect.poll(() => read(figures, ...turns)).toEqual([2, 2, 2]);
  const [events = 0, commits = 0, failures] = read(
    figures,
    "events_total",
    "commit_seconds_count",
    "storage_failures_total",
  );
  expect(events).toBeGreaterThan(4);
  expect(commits).toBeGreaterThan(2);
  expect(failures).toBe(0);
  await bob.close();
  await expect.poll(() => read(figures, ...GAUGES)).toEqual([1, 2, 2, 2]);
  await gateway.close();
  await expect.poll(() => read(figures, ...GAUGES)).toEqual([0, 0, 0, 0]);
});

it("NATS-09 figures count takeovers and lost ownerships, and a prompt at the gateway of its client only", async () => {
  const clock = installManualClock();
  onTestFinished(() => clock.uninstall());
  const shared = createMemoryEngine({ ttlMs: TTL });
  const { engine, die } = mortal(shared);
  const begun = createLatch();
  const its = {
    log: createMemoryLog(),
    async prompt(turn: Parameters<typeof untilCancelled>[0]) {
      begun.open();
      await untilCancelled(turn);
    },
  };
  const [ofHere, ofThere] = [createFigures(), createFigures()];
  const here = gatewayOf(its, { log: () => engine, figures: ofHere, ...quiet });
  const there = gatewayOf(its, { log: () => shared, figures: ofThere, ...quiet });
  const ann = await (await clientOf(here.gateway)).newSession({ cwd: "/work" });
  const bob = await attach(await clientOf(there.gateway), ann.id);
  expect([read(ofHere, ...GAUGES), read(ofThere, ...GAUGES)]).toEqual([
    [1, 1, 1, 1],
    [1, 1, 0, 1],
  ]);
  const turn = bob.prompt("Work");
  await begun.opened;
  die();
  await Promise.all(here.agents.map((agent) => agent.close()));
  await clock.advance(TTL * 2);
  await turn.ended.catch(() => undefined);
  expect(read(ofHere, "lost_ownerships_total", "owned_sessions", "takeovers_total", "prompts_total")).toEqual([
    1, 0, 0, 0,
  ]);
  const names = ["lost_ownerships_total", "owned_sessions", "takeovers_total", "prompts_total"];
  expect(read(ofThere, ...names, "takeover_seconds_count")).toEqual([0, 1, 1, 1, 1]);
});

it("SHARE-12 figures have the same names and labels whatever clients send", async () => {
  const figures = createFigures();
  const before = [...samplesOf(figures).keys()];
  const hostile = 'x"} 1\n# EOF\nturnkit_evil 1';
  const { gateway } = gatewayOf(
    { prompt: (turn) => turn.session.emit({ type: "session_info_update", title: hostile }) as Promise<void> },
    { figures },
  );
  const client = await clientOf(gateway, "v2", { id: hostile, group: hostile, name: hostile });
  const session = await client.newSession({ cwd: `/${hostile}` });
  await session.prompt(hostile).ended;
  expect([...samplesOf(figures).keys()]).toEqual(before);
  expect(figures.text()).not.toContain("evil");
});

it("SHARE-01 a duration counts in its bucket and in all larger ones, and the sum is in seconds", () => {
  const figures = createFigures();
  for (const ms of [1, 2, 700, 31_000]) figures.took("commit_seconds", ms);
  const at = (bound: string) => read(figures, `commit_seconds_bucket{le="${bound}"}`)[0];
  expect(["0.001", "0.005", "0.5", "1.0", "30.0", "+Inf"].map(at)).toEqual([1, 2, 2, 3, 3, 4]);
  expect(read(figures, "commit_seconds_count", "commit_seconds_sum")).toEqual([4, 31.703]);
});

it("SHARE-01 a value that is not made by createFigures is refused", () => {
  expect(() => gatewayOf({}, { figures: {} as Figures })).toThrow("pass the result of createFigures()");
});
