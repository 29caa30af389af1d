import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startCodingAgent, type WireName } from "./coding-agent.js";
import { call, say } from "./step.js";

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("picture of a cart")]);

describe("defect P5: a picture that read_file reads", () => {
  it.each<[WireName]>([["openai-compatible"], ["openai"], ["anthropic"], ["google"]])(
    "reaches the model as a picture: %s",
    async (wire) => {
      const { session, server, folder } = await startCodingAgent({
        wire,
        script: [[call("read_file", { path: "cart.png" })], [say("It shows a cart.")]],
      });
      await writeFile(join(folder, "cart.png"), png);
      expect(await session.prompt("What does cart.png show?").ended).toMatchObject({ stopReason: "end_turn" });
      const sent = JSON.stringify(server.requests[1]?.body);
      // As its only member, or in a data URL.
      expect(sent).toMatch(
        new RegExp(`"(?:data:image/png;base64,)?${png.toString("base64").replace(/[+/]/g, "\\$&")}"`),
      );
      expect(sent).toContain("image/png");
    },
  );

  it("is refused with a reason for a model that takes only text", async () => {
    const { session, server, folder } = await startCodingAgent({
      model: { images: false },
      script: [[call("read_file", { path: "cart.png" })], [say("I cannot see it.")]],
    });
    await writeFile(join(folder, "cart.png"), png);
    await session.prompt("What does cart.png show?").ended;
    expect(server.requests[1]?.results.join()).toContain("this model takes only text");
  });
});
