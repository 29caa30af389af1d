import { describe, expect, it } from "vitest";
import { findKnownAgent, knownAgents } from "./index.js";

const fetched = knownAgents.flatMap(({ commands }) => commands.filter(([program]) => program === "npx"));

describe("defect F12: known agents of the library", () => {
  it("are found by name, each name once", () => {
    for (const agent of knownAgents) expect(findKnownAgent(agent.name)).toBe(agent);
    expect(new Set(knownAgents.map(({ name }) => name)).size).toBe(knownAgents.length);
    expect(findKnownAgent("gemini")).toMatchObject({
      ...{ title: "Gemini CLI", commands: [["gemini", "--acp"]] },
      variables: expect.arrayContaining(["GEMINI_API_KEY"]),
    });
  });

  it.each(["", "Gemini", "gem", "__proto__", "toString"])("are not found by %j", (name) => {
    expect(findKnownAgent(name)).toBeUndefined();
  });

  it("have commands that are split, and exact versions where npx fetches them", () => {
    for (const { commands } of knownAgents) {
      expect(commands.length).toBeGreaterThan(0);
      for (const word of commands.flat()) expect(word).toMatch(/^\S+$/);
    }
    expect(fetched.length).toBeGreaterThan(0);
    for (const command of fetched) expect(command).toEqual(["npx", "-y", expect.stringMatching(/.@\d+\.\d+\.\d+$/)]);
  });

  it("name their variables, and hold no values", () => {
    for (const name of knownAgents.flatMap(({ variables }) => variables)) expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
  });
});
