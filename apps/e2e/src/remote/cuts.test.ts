import { createAgent } from "@turnkit/agent";
import { allowOnce, connectWith } from "@turnkit/client";
import { createRandom } from "@turnkit/testing";
import { describe, expect, it } from "vitest";
import { only } from "../kit/only.js";
import { type Fate, MemoryNetwork } from "./memory-network.js";

const info = { name: "cuts", version: "1.0.0" };
const LENGTH = 60;
const turnsOf = 3;

/** Number of conversations of each kind. */
const SEEDS = 25;

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An agent that counts its prompts, asks a question in the middle of each turn, and says numbers. */
function counter() {
  const prompts: string[] = [];
  const agent = createAgent({
    info,
    newSession() {},
    async prompt(turn) {
      const text = turn.prompt[0]?.type === "text" ? turn.prompt[0].text : "";
      prompts.push(text);
      for (let at = 0; at < LENGTH; at += 1) {
        if (at === LENGTH / 2) {
          const allowed = await turn.toolCall({ title: "Dig" }).ask();
          turn.say(allowed ? "yes " : "no ");
        }
        await turn.say(`${text}.${at} `);
        if (at % 7 === 0) await tick();
      }
    },
  });
  return { agent, prompts };
}

const expected = (text: string): string =>
  Array.from({ length: LENGTH }, (_, at) => `${at === LENGTH / 2 ? "yes " : ""}${text}.${at} `).join("");

/** A conversation whose network is cut at random. Returns what the client has heard, and what ran. */
async function converse(scheme: "http" | "ws", dialect: "v1" | "v2", seed: number) {
  const random = createRandom(seed);
  const { agent, prompts } = counter();
  const network = MemoryNetwork.to({ agent });
  const channel = await network.open(scheme, { reconnect: { firstDelayMs: 1, longestDelayMs: 2, attempts: 50 } });
  let asked = 0;
  const client = await connectWith(only(dialect), channel, {
    info,
    permissions: (question) => {
      asked += 1;
      return allowOnce(question);
    },
  });
  const session = await client.newSession({ cwd: "/srv" });
  network.fate = (): Fate => {
    if (random.chance(0.02)) return "cut";
    return random.chance(0.01) ? "half-open" : "pass";
  };
  const heard: string[] = [];
  for (let turn = 0; turn < turnsOf; turn += 1) {
    let text = "";
    const prompted = session.prompt(`t${turn}`);
    for await (const event of prompted)
      if (event.type === "agent_message_chunk" && event.content.type === "text") text += event.content.text;
    await prompted.ended;
    heard.push(text);
  }
  network.fate = () => "pass";
  await client.close();
  await network.server.close();
  return { heard, prompts, asked, cuts: network.cuts, packed: network.packed };
}

describe.each(["http", "ws"] as const)("cuts over %s", (scheme) => {
  it.each(["v1", "v2"] as const)(
    "REM-47, REM-49: version %s: at random places nothing is lost, doubled or reordered, and each prompt runs once",
    async (dialect) => {
      let [cuts, packed] = [0, 0];
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const talk = await converse(scheme, dialect, seed);
        expect(talk.heard, `seed ${seed}`).toEqual(["t0", "t1", "t2"].map(expected));
        expect(talk.prompts, `seed ${seed}`).toEqual(["t0", "t1", "t2"]);
        expect(talk.asked, `seed ${seed}`).toBe(turnsOf);
        cuts += talk.cuts;
        packed += talk.packed;
      }
      expect(cuts).toBeGreaterThan(SEEDS);
      expect(packed).toBeGreaterThan(SEEDS);
    },
  );
});
