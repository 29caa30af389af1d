/// <reference lib="dom" />
import { setTimeout as pass } from "node:timers/promises";
import { type Agent, createAgent, createMemoryLog } from "@turnkit/agent";
import type { Client } from "@turnkit/client";
import type { Channel } from "@turnkit/transport";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { certificate } from "../remote/certificate.js";
import { type CutProxy, startCutProxy } from "../remote/cut-proxy.js";
import { describeInChromium } from "./chromium.js";
import { createLongWork } from "./long-work.js";
import { servePage, token } from "./page-server.js";

const info = { name: "agent", version: "1.0.0" };

const profiles = {
  websocket: { search: "?ws" },
  http: { search: "?http" },
  "http/2": { search: "?http", tls: true },
} as const;

type Profile = keyof typeof profiles;
const everyProfile = Object.keys(profiles) as Profile[];

/** Agent that counts until the cancel of its turn. */
function counter() {
  const said: string[] = [];
  const prompts: string[] = [];
  let cancels = 0;
  const agent = createAgent({
    info,
    log: createMemoryLog(),
    async prompt(turn) {
      prompts.push(turn.prompt.map((block) => (block.type === "text" ? block.text : "")).join());
      turn.signal.addEventListener("abort", () => {
        cancels += 1;
      });
      while (!turn.signal.aborted) {
        said.push(`${said.length} `);
        await turn.say(said.at(-1) as string);
        await pass(20);
      }
    },
  });
  return { agent, said, prompts, cancels: () => cancels };
}

describeInChromium("a page in Chromium", (openPage) => {
  /** Opens the page of an agent, through a port that can be cut. */
  async function open(agent: Agent, profile: Profile): Promise<{ page: Page; proxy: CutProxy; port: number }> {
    const { search, tls } = { tls: false, ...profiles[profile] };
    const port = await servePage(agent, tls ? { tls: certificate() } : {});
    const proxy = await startCutProxy(port);
    const page = await openPage({ ignoreHTTPSErrors: true });
    await page.goto(`${tls ? "https" : "http"}://127.0.0.1:${proxy.port}/${search}`);
    await ready(page);
    return { page, proxy, port };
  }

  const ready = (page: Page) => page.locator("#prompt:enabled").waitFor();
  const end = (page: Page, reason: string) => page.locator("#end").getByText(reason).waitFor();
  const agentText = async (page: Page) => (await page.locator("p.agent").allTextContents()).join("");

  async function prompt(page: Page, text: string): Promise<void> {
    await page.getByLabel("Prompt").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  }

  it.each(everyProfile)(
    "REM-29, REM-37: over %s, a person answers the question of a turn by a click",
    async (profile) => {
      const answers: boolean[] = [];
      const { page } = await open(
        createAgent({
          info,
          newSession: () => {},
          async prompt(turn) {
            const call = turn.toolCall({ title: "Dig" });
            const isAllowed = await call.ask();
            answers.push(isAllowed);
            await (isAllowed ? call.run(() => turn.say("Dug.")) : call.fail("Not allowed."));
          },
        }),
        profile,
      );
      await prompt(page, "Dig.");
      await page.getByRole("button", { name: "Allow" }).first().click();
      await end(page, "end_turn");
      expect(await agentText(page)).toBe("Dug.");
      await prompt(page, "Dig.");
      await page.getByRole("button", { name: "Reject" }).first().click();
      await expect.poll(() => answers).toEqual([true, false]);
    },
  );

  it.each(["websocket", "http"] as const)(
    "REM-42: over %s, a reload in mid-turn shows the whole text of work that goes on once, in order",
    async (profile) => {
      const work = createLongWork();
      const { page } = await open(work.agent, profile);
      await prompt(page, "Work.");
      await page.getByText("0 1 2 3").waitFor();
      await page.reload();
      await ready(page);
      const seen = work.said.length;
      await page.getByText(` ${seen + 3} `).waitFor();
      work.finish();
      await expect.poll(() => agentText(page)).toBe(work.said.join(""));
      expect(work.prompts()).toBe(1);
    },
  );

  it.each(["websocket", "http"] as const)(
    "REM-16: over %s, a reload in mid-turn ends the connection, and the stored session opens again at once",
    async (profile) => {
      const { agent, said, prompts, cancels } = counter();
      const { page } = await open(agent, profile);
      await prompt(page, "first");
      await page.getByText("0 1 2 3").waitFor();
      await page.reload();
      await ready(page);
      expect(cancels()).toBe(1);
      const before = said.length;
      expect(await agentText(page)).toBe(said.join(""));
      await prompt(page, "second");
      await page.getByText(` ${before + 3} `).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await end(page, "cancelled");
      expect(await agentText(page)).toBe(said.join(""));
      expect(prompts).toEqual(["first", "second"]);
    },
  );

  it("REM-35, REM-43: 20 s offline in mid-turn lose, double and reorder nothing, and a cancel of this time arrives", {
    timeout: 60_000,
  }, async () => {
    const stay = async (profile: Profile): Promise<void> => {
      const { agent, said, prompts, cancels } = counter();
      const { page, proxy, port } = await open(agent, profile);
      await prompt(page, "Count.");
      await page.getByText("0 1 2 3").waitFor();
      // Offline, Chromium keeps open connections, and holds the end of a WebSocket.
      proxy.cut();
      await page.locator("#status").getByText("reconnecting").waitFor();
      await page.context().setOffline(true);
      const before = said.length;
      const offline = pass(20_000);
      await page.getByRole("button", { name: "Cancel" }).click();
      await offline;
      expect([cancels(), await page.locator("#end").textContent()]).toEqual([0, ""]);
      proxy.lead(port);
      await page.context().setOffline(false);
      await end(page, "cancelled");
      expect(said.length).toBeGreaterThan(before + 200);
      expect(await agentText(page)).toBe(said.join(""));
      expect([prompts, cancels()]).toEqual([["Count."], 1]);
      await page.locator("#status").getByText("connected").waitFor();
    };
    await Promise.all(everyProfile.map(stay));
  });

  it.each([
    ["http", 4],
    ["http/2", 7],
  ] as const)("REM-37: over %s, a page opens %i sessions, and each of them works", async (profile, most) => {
    const { page } = await open(
      createAgent({ info, newSession: () => {}, prompt: (turn) => turn.say("Hi.") }),
      profile,
    );
    const outcome = await page.evaluate(async (count) => {
      const { client } = globalThis as unknown as { client: Client };
      // The page has opened one.
      const sessions = await Promise.all(Array.from({ length: count - 1 }, () => client.newSession({ cwd: "/srv" })));
      const ends = await Promise.all(sessions.map((session) => session.prompt("Hi.").ended));
      const further = await client.newSession({ cwd: "/srv" }).then(
        () => "opened",
        (error: Error) => error.message,
      );
      return { ends: ends.map(({ stopReason }) => stopReason), further };
    }, most);
    expect(outcome.ends).toEqual(Array(most - 1).fill("end_turn"));
    expect(outcome.further).toMatch(profile === "http" ? /4 sessions are open.* wss: address/ : "opened");
  });

  it("REM-37: over http/2, four tabs of a browser work at the same time", async () => {
    const { page } = await open(
      createAgent({ info, newSession: () => {}, prompt: (turn) => turn.say("Hi.") }),
      "http/2",
    );
    const others = await Promise.all([1, 2, 3].map(() => page.context().newPage()));
    for (const other of others) {
      await other.goto(page.url());
      await ready(other);
    }
    for (const tab of [page, ...others]) {
      await prompt(tab, "Hi.");
      await end(tab, "end_turn");
    }
  });

  it("REM-30: the browser sends its cookies with every request and upgrade", async () => {
    const cookies: Record<string, (string | null)[]> = {};
    const onRequest = ({ method, headers }: Request) => {
      const what = headers.has("Upgrade") ? "upgrade" : method;
      cookies[what] = [...new Set([...(cookies[what] ?? []), headers.get("Cookie")])];
    };
    const port = await servePage(counter().agent, { onRequest });
    const page = await openPage();
    for (const search of ["?ws", "?http"]) {
      await page.goto(`http://127.0.0.1:${port}/${search}`);
      await ready(page);
    }
    const own = ["node=seven"];
    expect(cookies).toMatchObject({ upgrade: own, POST: own, GET: own });
  });

  it("runs under a strict Content-Security-Policy without a violation", async () => {
    const port = await servePage(counter().agent);
    const page = await openPage();
    const violations: unknown[] = [];
    await page.exposeFunction("violated", (what: string) => violations.push(what));
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        const { violated } = globalThis as unknown as { violated(what: string): void };
        violated(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
    for (const search of ["?ws", "?http"]) {
      await page.goto(`http://127.0.0.1:${port}/${search}`);
      await ready(page);
      await prompt(page, "Count.");
      await page.getByText("0 1 2 3").waitFor();
    }
    expect(violations).toEqual([]);
    // The policy is in force.
    await page.evaluate(() => void document.body.append(Object.assign(new Image(), { src: "/nothing.png" })));
    await expect.poll(() => violations).toEqual([expect.stringContaining("img-src")]);
  });

  it("REM-21: gives nothing to a page of another origin, even one that knows the token", async () => {
    let served = 0;
    const { agent } = counter();
    const serve = (channel: Channel) => {
      served += 1;
      return agent.serve(channel);
    };
    const port = await servePage({ serve });
    const page = await openPage();
    const stranger = await servePage(agent);
    await page.goto(`http://localhost:${stranger}/nothing`);
    const outcome = await page.evaluate(
      async ({ address, bearer }) => {
        const params = { protocolVersion: 1, clientCapabilities: {} };
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
        const headers = { "Content-Type": "application/json", Authorization: `Bearer ${bearer}` };
        const tried = [
          { method: "POST", headers, body },
          { method: "POST", body },
          { method: "POST", body, mode: "no-cors" },
          { headers },
        ] as const;
        const fetched = tried.map((init) =>
          fetch(`http://${address}`, init).then(
            ({ type, status }) => `${type} ${status}`,
            () => "failed",
          ),
        );
        const opened = new Promise((resolve) => {
          const socket = new WebSocket(`ws://${address}`, ["acp", `acp-token.${bearer}`]);
          socket.onopen = () => resolve("opened");
          socket.onerror = () => resolve("failed");
        });
        return Promise.all([...fetched, opened]);
      },
      { address: `127.0.0.1:${port}/acp`, bearer: token },
    );
    expect(outcome).toEqual(["failed", "failed", "opaque 0", "failed", "failed"]);
    expect(served).toBe(0);
  });
});
