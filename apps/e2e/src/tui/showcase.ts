import type { AgentScript } from "@turnkit/testing";

const answer = [
  "The total is wrong for **empty carts**: `reduce` has no initial value there.\n\n",
  "| Cart | Before | After |\n|------|-------:|------:|\n| empty | throws | 0 |\n| 2 items | 12.50 | 12.50 |\n\n",
  "1. `total()` now begins with `0`.\n2. The test for it passes, see [the report](https://ci.example/runs/7).\n\n",
  "```ts\nexport const total = (cart: Item[]) => cart.reduce((sum, { price }) => sum + price, 0);\n```\n",
];

const output = "> vitest run cart\n ✓ cart.test.ts (3 tests) 12ms\n Tests  3 passed (3)\n";

/** A whole turn for a picture: thoughts, tools, a diff, a command, Markdown, mode, model, context and cost. */
export const showcase = (): AgentScript => ({
  answers: {
    initialize: {
      protocolVersion: 1,
      agentInfo: { name: "my-agent", title: "My agent", version: "1.0.0" },
      agentCapabilities: {},
      authMethods: [],
    },
    "session/new": () => ({
      sessionId: "s-1",
      modes: { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] },
      models: { currentModelId: "large", availableModels: [{ modelId: "large", name: "large" }] },
    }),
  },
  steps: [
    {
      turn: [
        { think: "Which carts fail?\nOnly the empty one, so it must be the sum.\nThe initial value.\nAnd a test." },
        {
          update: {
            ...{
              sessionUpdate: "tool_call",
              toolCallId: "t-1",
              kind: "edit",
              status: "completed",
              title: "Edit cart.ts",
            },
            content: [
              {
                ...{ type: "diff", path: "cart.ts" },
                oldText: "  return cart.reduce((sum, { price }) => sum + price);\n",
                newText: "  return cart.reduce((sum, { price }) => sum + price, 0);\n",
              },
            ],
          },
        },
        {
          update: {
            ...{
              sessionUpdate: "tool_call",
              toolCallId: "t-2",
              kind: "execute",
              status: "completed",
              title: "npm test",
            },
            content: [{ type: "content", content: { type: "text", text: output } }],
          },
        },
        { say: answer },
        {
          update: {
            sessionUpdate: "usage_update",
            used: 41_000,
            size: 128_000,
            cost: { amount: 0.12, currency: "USD" },
          },
        },
      ],
    },
  ],
});
