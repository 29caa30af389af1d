import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { seedDialect, v1Dialect, v2Dialect } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { calls, reached, said, startCodingAgent } from "./coding-agent.js";
import { call, type Part, type ReceivedRequest, type Step, say } from "./step.js";

const task = (title: string, more: object = {}) =>
  call("task", { title, prompt: `Please do this: ${title}.`, ...more });

/** True for a request of a subagent. */
const isChild = ({ prompt }: ReceivedRequest) => prompt.startsWith("Please do this");

const files = { "a.txt": "one\n", "b.txt": "one\n" };

describe.each([
  ["v1", v1Dialect, true],
  ["v2", v2Dialect, true],
  ["seed, which has no subagents", seedDialect, false],
])("P16: subagents, %s", (_, dialect, hasChildren) => {
  it("work in a session of their own, ask in their own name, and return their last answer", async () => {
    const asked: string[] = [];
    const { session, server, folder } = await startCodingAgent({
      dialects: [dialect],
      files,
      script: (request): Step => {
        if (!isChild(request)) return request.results.length === 0 ? [task("Write the file")] : [say("All done.")];
        const { length } = request.results;
        if (length === 0) return [say("I write."), call("write_file", { path: "a.txt", text: "two\n" })];
        return request.results[0]?.includes("written")
          ? [call("run_command", { command: "cat a.txt" })]
          : [say("It has two.")];
      },
      permissions: ({ title, options, session: { id } }) => {
        asked.push(`${id === session.id ? "main" : "child"}: ${title}`);
        const option = options.find(({ kind }) => kind === "allow_once");
        return option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
      },
    });
    await session.prompt("Go.").ended;
    expect(said(session.state)).toBe("All done.");
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("two\n");
    const main = server.requests.filter((request) => !isChild(request));
    expect(main[1]?.results).toEqual(["It has two."]);
    expect(JSON.stringify(main[1]?.body)).not.toContain("I write.");
    const own = server.requests.filter(isChild);
    expect(own[0]?.tools).not.toContain("task");
    expect(JSON.stringify(own[0]?.body)).toContain("You are a subagent");
    // A client without subagents also gets the tool calls that ask.
    const asking = ["Write the file: Write a.txt: completed", "Write the file: cat a.txt: completed"];
    expect(calls(session.state)).toEqual(["Write the file: completed", ...(hasChildren ? [] : asking)]);
    const [child] = session.children;
    if (hasChildren) {
      expect(asked).toEqual(["child: Write a.txt", "child: cat a.txt"]);
      expect(child && calls(child.state)).toEqual(["Write a.txt: completed", "cat a.txt: completed"]);
      expect(child && said(child.state)).toBe("I write.It has two.");
      expect(JSON.stringify([...session.state.timeline])).toContain(`"sessionId":"${child?.id}"`);
    } else {
      expect(asked).toEqual(["main: Write the file: Write a.txt", "main: Write the file: cat a.txt"]);
      expect(JSON.stringify([...session.state.timeline])).toContain("It has two.");
    }
  });

  it("that only look run at the same time, and can change nothing", async () => {
    let arrived = 0;
    let bothArrived = () => {};
    const both = new Promise<void>((resolve) => {
      bothArrived = resolve;
    });
    // Each subagent waits for the other.
    async function* together(): AsyncGenerator<Part> {
      arrived += 1;
      if (arrived === 2) bothArrived();
      await both;
      yield say("Looked.");
    }
    const { session, server } = await startCodingAgent({
      dialects: [dialect],
      files,
      script: (request): Step => {
        if (isChild(request)) return together();
        return request.results.length === 0
          ? [task("Look at a", { look_only: true }), task("Look at b", { look_only: true })]
          : [say("Seen.")];
      },
    });
    await session.prompt("Go.").ended;
    expect(server.requests.at(-1)?.results).toEqual(["Looked.", "Looked."]);
    expect(server.requests.filter(isChild)[0]?.tools).toEqual(expect.arrayContaining(["read_file", "search"]));
    expect(server.requests.filter(isChild)[0]?.tools).not.toContain("run_command");
    expect(said(session.state)).toBe("Seen.");
  });

  it("end with the turn when it is cancelled", async () => {
    async function* endless(): AsyncGenerator<Part> {
      yield say("I begin.\n");
      await new Promise(() => {});
    }
    const { session, server } = await startCodingAgent({
      dialects: [dialect],
      files,
      script: (request): Step => (isChild(request) ? endless() : [task("Go on for ever")]),
    });
    const turn = session.prompt("Go.");
    const text = () =>
      JSON.stringify([[...session.state.timeline], session.children.map(({ state }) => [...state.timeline])]);
    await server.request(1);
    await expect.poll(text).toContain("begin.");
    await session.cancel();
    expect(await turn.ended).toMatchObject({ stopReason: "cancelled" });
    expect(await server.requests[1]?.over).toBe("dropped");
    expect(calls(session.state)).toEqual([expect.stringMatching(/^Go on for ever: (cancelled|failed)$/)]);
  });
});

describe("P16: subagents", () => {
  it("can be stopped alone, and the main agent learns it", async () => {
    async function* endless(): AsyncGenerator<Part> {
      yield say("I begin.");
      await new Promise(() => {});
    }
    const { session, server } = await startCodingAgent({
      dialects: [v2Dialect],
      script: (request): Step => {
        if (isChild(request)) return endless();
        return request.results.length === 0 ? [task("Go on for ever")] : [say("I see.")];
      },
    });
    const turn = session.prompt("Go.");
    await reached(session, () => session.children.length === 1);
    const [child] = session.children;
    if (child === undefined) throw new Error("There is no child session.");
    await reached(child, (state) => said(state) === "I begin.");
    await child.cancel();
    expect(await turn.ended).toMatchObject({ stopReason: "end_turn" });
    expect(server.requests.at(-1)?.results).toEqual([expect.stringContaining("The user stopped this subagent.")]);
    expect(calls(session.state)).toEqual(["Go on for ever: cancelled"]);
  });

  it("are at most sixteen in a turn, and four at a time; a failed one fails alone", async () => {
    let running = 0;
    let most = 0;
    async function* counted(): AsyncGenerator<Part> {
      running += 1;
      most = Math.max(most, running);
      yield say("x");
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    }
    const tasks = Array.from({ length: 18 }, (_, at) => task(`Task ${at}`, { look_only: true }));
    const { session, server } = await startCodingAgent({
      dialects: [v2Dialect],
      script: (request): Step => {
        if (isChild(request)) return request.prompt.includes("Task 3.") ? { status: 400, message: "No." } : counted();
        return request.results.length === 0 ? tasks : [say("Counted.")];
      },
    });
    await session.prompt("Go.").ended;
    const results = server.requests.at(-1)?.results ?? [];
    expect(results.filter((text) => text === "x")).toHaveLength(15);
    expect(results[3]).toContain("No.");
    expect(results.slice(16)).toEqual(Array(2).fill(expect.stringContaining("at most 16 subagents")));
    expect(most).toBeLessThanOrEqual(4);
    expect(session.children.map(({ state }) => state.activity.state)).toEqual(Array(16).fill("idle"));
  });

  it("are taken back by /undo with the turn", async () => {
    const { session, folder } = await startCodingAgent({
      dialects: [v2Dialect],
      files,
      script: (request): Step => {
        if (request.results.length > 0) return [say("Done.")];
        return isChild(request) ? [call("write_file", { path: "a.txt", text: "two\n" })] : [task("Write")];
      },
    });
    await session.prompt("Go.").ended;
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("two\n");
    await session.prompt("/undo").ended;
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\n");
  });
});
