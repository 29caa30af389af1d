import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { startCodingAgent } from "../../models/coding-agent.js";
import { call, say } from "../../models/step.js";
import { type Attempt, attempts } from "./attempts.js";
import { reasonAgainst } from "./bubblewrap.js";
import { createWorld, type World } from "./world.js";

const reason = await reasonAgainst();
const titled = (title: string) => (reason === undefined ? title : `${title} (skipped: ${reason})`);

const aims: readonly (readonly [string, readonly Attempt[]])[] = [
  ["defect S18: writing outside", attempts.writes],
  ["defect S21: reading secrets", attempts.reads],
  ["defect S18: the network", attempts.network],
  ["defect S16: other processes", attempts.processes],
  ["defect S4: writing protected files", attempts.guarded],
];

describe.skipIf(reason !== undefined)("a command in the sandbox of turnkit-agent", { timeout: 180_000 }, () => {
  it.each(aims)(titled("%s: each attempt changes nothing, reads nothing, and asks nobody"), async (_, group) => {
    const world = await createWorld();
    let questions = 0;
    const { client, server } = await startCodingAgent({
      args: ["--mode", "auto", "--sandbox", "require", "--no-sessions"],
      permissions: () => {
        questions += 1;
        return { outcome: "cancelled" };
      },
      env: { HOME: world.home, DEPLOY_TOKEN: world.secret },
      script: group.flatMap(({ line, seconds = 20 }) => [
        [call("run_command", { command: line(world), timeout_seconds: seconds })],
        [say("Done.")],
      ]),
    });
    const session = await client.newSession({ cwd: world.project });
    const through: unknown[] = [];
    for (const [index, { name }] of group.entries()) {
      await session.prompt(name).ended;
      const output = JSON.stringify(server.requests[2 * index + 1]?.results);
      expect([name, output]).toEqual([name, expect.stringMatching(/Exit code|was ended/)]);
      const damage = await world.damage(output);
      if (damage.length > 0) through.push([name, damage]);
    }
    await world.close();
    expect([questions, through]).toEqual([0, []]);
  });
});

// An attempt that does nothing at all would prove nothing. All of them take 40 s with `ESCAPES=all`.
describe("the same attempts without a sandbox", { timeout: 180_000 }, () => {
  it("succeed, so the attempts are real ones", async () => {
    const control = Object.values(attempts)
      .flat()
      .filter(({ isRare }) => !isRare);
    expect(control.length).toBeGreaterThan(50);
    const some = process.env.ESCAPES === "all" ? control : control.filter((_, index) => index % 8 === 0);
    expect(await harmlessOf(some)).toEqual([]);
  });
});

/** Runs each attempt in a world of its own. Returns the names of the attempts that did nothing. */
async function harmlessOf(some: readonly Attempt[]): Promise<readonly string[]> {
  const harmless: string[] = [];
  for (const attempt of some) {
    // A busy machine may look at the damage before the attempt has done it.
    const isReal = (await doesDamage(attempt)) || (await doesDamage(attempt));
    if (!isReal) harmless.push(attempt.name);
  }
  return harmless;
}

async function doesDamage(attempt: Attempt): Promise<boolean> {
  const world = await createWorld();
  const damage = await world.damage(await runFreely(attempt, world));
  await world.close();
  return damage.length > 0;
}

/** Runs an attempt as this user would. Returns its output until the exit of the shell, or until its time is over. */
async function runFreely({ line, seconds = 20 }: Attempt, world: World): Promise<string> {
  const child = spawn("/bin/sh", ["-c", line(world)], {
    cwd: world.project,
    env: { ...process.env, HOME: world.home, DEPLOY_TOKEN: world.secret },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const timer = setTimeout(() => process.kill(-(child.pid as number), "SIGKILL"), seconds * 1000);
  await once(child, "exit");
  clearTimeout(timer);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  return output;
}
