import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { useConnection, useQuestions, useSelector, useSession, useTurn } from "../src/index.js";
import { openSession } from "./conversation.js";

/** Returns the message of the error with which a drawing fails. */
function faultOf(hook: () => unknown): string {
  const Page = () => {
    hook();
    return null;
  };
  try {
    renderToString(createElement(Page));
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "";
}

const none = undefined as never;

describe("defect N53: a wrong argument of a hook is named, with the right one", () => {
  const opening =
    "useSession has no session while it opens one. Draw the component with this hook when there is a session.";

  test.each([
    ["useSelector", () => useSelector(none, ({ title }) => title)],
    ["useTurn", () => useTurn(none)],
    ["useQuestions", () => useQuestions(none)],
  ])("%s of a session that is not open yet", (name, hook) => {
    expect(faultOf(hook)).toBe(`TypeError: ${name} got undefined: ${opening}`);
  });

  test("a client, a state or another object in place of a session", async () => {
    const { client, session } = await openSession();
    const named = "useTurn got a client: pass one of its sessions, such as that of useSession(client, { cwd }).";
    expect(faultOf(() => useTurn(client as never))).toContain(named);
    expect(faultOf(() => useQuestions(session.state as never))).toContain("useQuestions got a state: pass a session");
    expect(faultOf(() => useSelector({} as never, () => 1))).toContain("useSelector got an object of another form");
    expect(faultOf(() => useTurn("s-1" as never))).toContain("useTurn got a string: pass a session");
  });

  test("a selector that is left out", async () => {
    const { session } = await openSession();
    expect(faultOf(() => useSelector(session, none))).toContain(
      "useSelector got no selector: pass a function, such as (state) =>",
    );
  });

  test("a session in place of a client, and a target that is left out", async () => {
    const { client, session } = await openSession();
    const place = { cwd: "/w" };
    expect(faultOf(() => useSession(session as never, place))).toContain("useSession got a session: pass a client");
    expect(faultOf(() => useSession(client, none))).toContain("useSession got no target: pass an object such as { cwd");
    expect(faultOf(() => useConnection(none))).toContain("useConnection got undefined: pass a client, such as await");
    expect(faultOf(() => useConnection(session as never))).toContain("useConnection got a session: pass a client");
  });

  test.each(["id", "sessionid", "sessionID", "session_id", "session"])(
    "defect N158: the id of a session under the name %s, which would open a new session",
    async (name) => {
      const { client } = await openSession();
      const fault = faultOf(() => useSession(client, { cwd: "/w", [name]: "s-1" }));
      expect(fault).toBe(`TypeError: useSession got ${name}: the member for the id of a session is sessionId.`);
      expect(faultOf(() => useSession(client, { cwd: "/w", sessionId: "s-1" }))).toBe("");
    },
  );

  test("a session, a source of a state, and a client that is not there yet are right", async () => {
    const { client, session } = await openSession();
    const source = { state: session.state, subscribe: () => () => undefined };
    expect(faultOf(() => [useSelector(source, () => 1), useTurn(session), useQuestions(session)])).toBe("");
    expect(faultOf(() => [useSession(undefined, { cwd: "/w" }), useConnection(client)])).toBe("");
  });
});
