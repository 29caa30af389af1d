import { type Agent, createAgent, type Turn } from "@turnkit/agent";

const ANSWER = [
  "The total is wrong for **empty carts**: `reduce` has no initial value there.",
  "| Cart | Before | After |\n|------|-------:|------:|\n| empty | throws | 0 |\n| 2 items | 12.50 | 12.50 |",
  "1. `total()` in src/cart.ts:2 now begins with `0`.\n2. The test passes, see [the report](https://ci.example/runs/7).",
  "```ts\nexport const total = (cart: Item[]) =>\n  cart.reduce((sum, { price }) => sum + price, 0);\n```",
].join("\n\n");

const OUTPUT =
  "> vitest run cart\n \u001b[32m✓\u001b[0m cart.test.ts (3 tests) \u001b[2m12ms\u001b[0m\n\n Tests  \u001b[32m3 passed\u001b[0m (3)\n";

/**
 * Agent for pictures and examinations of the page. `Ask` asks for permission, `Fill in` asks with a form, and any other
 * prompt gets a whole turn. Its parts are a thought, a change of a file, a command with its output, a plan and an answer.
 */
export const createShowcase = (): Agent =>
  createAgent({
    info: { name: "my-agent", version: "1.0.0" },
    promptCapabilities: { image: true },
    newSession: () => ({
      configOptions: [
        {
          ...{ configId: "model", type: "select", name: "Model", category: "model", currentValue: "large" },
          options: [
            { value: "large", name: "Large" },
            { value: "small", name: "Small" },
          ],
        },
      ],
      availableCommands: [
        { name: "review", description: "Review the changes of this branch" },
        { name: "release", description: "Prepare a release", input: { type: "text", hint: "version" } },
        { name: "test", description: "Run the tests" },
      ],
    }),
    async prompt(turn) {
      const [block] = turn.prompt;
      const text = block?.type === "text" ? block.text : "";
      if (text.startsWith("Ask")) await ask(turn);
      else if (text.startsWith("Fill in")) await fillIn(turn);
      else await work(turn);
    },
  });

async function work(turn: Turn): Promise<void> {
  turn.session.setTitle("Wrong total of empty carts");
  turn.plan([
    { content: "Find the carts that fail", priority: "high", status: "completed" },
    { content: "Mend the sum", priority: "high", status: "completed" },
    { content: "Run the tests", priority: "medium", status: "in_progress" },
  ]);
  await turn.think("Which carts fail?\nOnly the empty one, so it must be the sum.");
  const edit = turn.toolCall({
    ...{ title: "Edit src/cart.ts", kind: "edit", locations: [{ path: "/work/src/cart.ts", line: 2 }] },
    rawInput: { path: "/work/src/cart.ts" },
  });
  const change = {
    operation: "modify",
    path: "/work/src/cart.ts",
    oldText: "export function total(cart) {\n  return cart.reduce((sum, { price }) => sum + price);\n}\n",
    newText: "export function total(cart) {\n  return cart.reduce((sum, { price }) => sum + price, 0);\n}\n",
  } as const;
  edit.append({ type: "diff", changes: [change] });
  edit.finish();
  const run = turn.toolCall({ title: "Run the tests", kind: "execute", rawInput: { command: "npm test" } });
  const terminal = turn.session.terminal({ command: "npm test" });
  run.append({ type: "terminal", terminalId: terminal.terminalId });
  terminal.write(OUTPUT);
  terminal.exit({ exitCode: 0 });
  run.finish();
  await turn.say(ANSWER);
  turn.session.reportUsage({ used: 41_000, size: 128_000, cost: { amount: 0.12, currency: "USD" } });
}

async function ask(turn: Turn): Promise<void> {
  const call = turn.toolCall({
    title: "Publish",
    kind: "execute",
    rawInput: { command: "npm publish --access public" },
  });
  if (await call.ask()) call.finish();
  else call.fail("Not allowed.");
}

async function fillIn(turn: Turn): Promise<void> {
  await turn.elicit({
    ...{ mode: "form", message: "Which release shall I prepare?" },
    requestedSchema: {
      type: "object",
      required: ["version"],
      properties: {
        version: { type: "string", title: "Version", description: "As in package.json" },
        channel: { type: "string", title: "Channel", enum: ["latest", "next"] },
        notes: { type: "boolean", title: "Write release notes" },
        targets: { type: "array", title: "Targets", items: { type: "string", enum: ["npm", "jsr"] } },
      },
    },
  });
}
