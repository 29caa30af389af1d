import { describe, expect, test } from "vitest";
import type { ElicitationQuestion } from "../src/index.js";
import { clientInfo, connectAs, type Frame, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: { elicitation: { form: {}, url: {} } } };
const errand: ElicitationQuestion = { mode: "url", message: "Sign in", elicitationId: "e", url: "https://x.test/in" };

describe.each([
  ["V1-ELIC-11", v1Hello],
  ["V2-ELI-09", v2Hello],
])("%s: the id of an errand at a URL", (_, hello) => {
  test("is nobody else's on the connection until the errand is over", async () => {
    const heard: unknown[] = [];
    const { client } = await connectAs(hello, {
      async prompt(turn) {
        const [block] = turn.prompt;
        if (block?.type === "text" && block.text === "done") return turn.session.completeElicitation("e");
        heard.push(await turn.elicit(errand).catch((error) => error.code));
        turn.say("on");
      },
    });
    const [first, second] = [await client.newSession(), await client.newSession()];
    const says = (sessionId: string, n = 0) =>
      client.next(
        (frame) => frame === client.received.filter((one) => isText(one) && one.params.sessionId === sessionId)[n],
      );

    client.prompt(first);
    const asked = await client.call("elicitation/create");
    client.prompt(second);
    await says(second);
    expect(heard).toEqual(["state"]);

    // Agreed to, it goes on at the URL.
    client.reply(asked, { action: "accept" });
    await says(first);
    client.prompt(second);
    await says(second, 1);
    expect(heard).toEqual(["state", { action: "accept" }, "state"]);

    client.prompt(first, "done");
    await client.call("elicitation/complete");
    client.prompt(second);
    const again = await client.call("elicitation/create", 1);
    expect(again.params).toMatchObject({ sessionId: second, elicitationId: "e" });

    // Declined, there is none any more.
    client.reply(again, { action: "decline" });
    await says(second, 2);
    client.prompt(first);
    client.reply(await client.call("elicitation/create", 2), { action: "cancel" });
    await says(first, 1);
    expect(heard.slice(3)).toEqual([{ action: "decline" }, { action: "cancel" }]);
  });
});

const isText = ({ params }: Frame): boolean => params?.update?.sessionUpdate === "agent_message_chunk";
