import { type Agent, createAgent, type Turn } from "@turnkit/agent";

/**
 * Agent with three settings and a plan, as a coding agent has them. Each prompt gets a long answer, whose last
 * paragraph is `The end of PROMPT`. `Ask` first asks for permission for a long command.
 */
export const createSettledAgent = (): Agent =>
  createAgent({
    info: { name: "my-agent", version: "1.0.0" },
    promptCapabilities: { image: true },
    newSession: () => ({
      configOptions: [
        {
          configId: "mode",
          type: "select",
          name: "Mode",
          currentValue: "ask",
          options: [{ value: "ask", name: "Ask" }],
        },
        {
          ...{ configId: "model", type: "select", name: "Model", currentValue: "large" },
          options: [{ value: "large", name: "Large model with a long name (preview)" }],
        },
        { configId: "think", type: "boolean", name: "Think longer", currentValue: true },
      ],
    }),
    async prompt(turn) {
      const [block] = turn.prompt;
      const text = block?.type === "text" ? block.text : "";
      turn.session.setTitle("A long title of a session about the total of empty carts, which needs more than one line");
      turn.plan([
        { content: "Mend the sum in a long sentence of more than one line", priority: "high", status: "in_progress" },
      ]);
      turn.session.reportUsage({ used: 41_000, size: 128_000, cost: { amount: 0.12, currency: "USD" } });
      if (text.startsWith("Ask")) await ask(turn);
      await turn.say(Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.\n\n`).join(""));
      await turn.say(`The end of ${text}`);
    },
  });

async function ask(turn: Turn): Promise<void> {
  const command = `npm publish && ${"a long argument ".repeat(20)}`;
  const call = turn.toolCall({ title: "Publish", kind: "execute", rawInput: { command } });
  if (await call.ask()) call.finish();
  else call.fail("Not allowed.");
}
