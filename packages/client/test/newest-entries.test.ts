import { messageText } from "@turnkit/session";
import { describe, expect, test } from "vitest";
import type { Session } from "../src/index.js";
import { idle } from "./draft-agent.js";
import { openIdle } from "./open-turn.js";
import { back, settle } from "./raw-agent.js";

const place = { cwd: "/work" };
const textsOf = ({ state }: Session) =>
  [...state.timeline].map((entry) => (entry.type === "message" ? `${entry.role}: ${messageText(entry)}` : entry.type));

describe.each(["v1", "v2", "seed"] as const)(
  "a session of which only the newest entries were replayed, in %s",
  (dialect) => {
    const message = (role: "user" | "agent", id: string, text: string) =>
      dialect === "v1"
        ? { sessionUpdate: `${role}_message_chunk`, content: { type: "text", text } }
        : { sessionUpdate: `${role}_message`, messageId: id, content: [{ type: "text", text }] };
    const earlier = [message("user", "u-1", "hi"), message("agent", "a-1", "first")];
    const newest = [message("user", "u-2", "again"), message("agent", "a-2", "second")];
    const marker = dialect === "v2" ? [{ sessionUpdate: "replay_complete" }] : [];

    async function openNewest() {
      const opened = await openIdle(dialect);
      const { agent, client, restore } = opened;
      const restoring = client.restore("s-1", { ...place, _meta: { "turnkit.newest": 2 } });
      const call = await agent.call(restore);
      agent.update("s-1", ...newest, ...marker);
      agent.answer(call, { _meta: { "turnkit.earlier": 2 } });
      const part = await back(restoring);
      const again = client.restore("s-1", place);
      return { ...opened, part, again, call: await agent.call(restore) };
    }

    test("defect E29: has the metadata of the answer, and all entries after another restore", async () => {
      const { agent, call, part, again } = await openNewest();
      expect(part._meta).toEqual({ "turnkit.earlier": 2 });
      agent.update("s-1", ...earlier, ...newest);
      await settle(agent);
      expect(textsOf(part)).toEqual(["user: again", "agent: second"]);
      // A gateway sends the activity after the marker.
      agent.update("s-1", ...marker, ...(dialect === "v2" ? [idle("end_turn")] : []));
      await settle(agent);
      expect(textsOf(part)).toEqual(["user: again", "agent: second"]);
      agent.answer(call, {});
      const whole = await back(again);
      expect(textsOf(whole)).toEqual(["user: hi", "agent: first", "user: again", "agent: second"]);
      expect(whole._meta).toBeUndefined();
      expect(textsOf(part)).toEqual(["user: again", "agent: second"]);
    });

    test("defect E29: keeps what arrives during a restore that fails", async () => {
      const { agent, call, part, again } = await openNewest();
      agent.update("s-1", message("agent", "a-3", "third"));
      agent.refuse(call, -32603, "no");
      expect(await again).toMatchObject({ status: "unavailable" });
      expect(textsOf(part)).toEqual(["user: again", "agent: second", "agent: third"]);
    });
  },
);
