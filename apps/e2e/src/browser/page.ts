/// <reference lib="dom" />
import { connect, type Session } from "@turnkit/client";
import { openRemote } from "@turnkit/remote/client";
import { messageText } from "@turnkit/session";
import type { RpcError } from "@turnkit/transport";

// A conversation with the agent at /acp, drawn from the state alone. The address `/?ws` selects WebSocket.

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const show = (id: string, text: string): void => {
  find(id).textContent = text;
};

const origin = location.search === "?ws" ? location.origin.replace("http", "ws") : location.origin;
const channel = await openRemote(`${origin}/acp`, {
  token: "a-token-of-the-page",
  onState: ({ status }) => show("status", status),
});
const client = await connect(channel, { info: { name: "page", version: "1.0.0" }, permissions: () => "wait" });
// Without it, the server keeps the connection, and with it the session, until its grace is over.
addEventListener("pagehide", () => void client.close());

const place = { cwd: "/srv" };
const kept = sessionStorage.getItem("session");
const session = await (kept === null ? client.newSession(place) : restore(kept));
sessionStorage.setItem("session", session.id);

/** Restores the session that the page had before a reload, as soon as the agent has ended the turns of its old connection. */
async function restore(id: string): Promise<Session> {
  for (;;) {
    const outcome = await client.restore(id, place);
    if (outcome.status !== "unavailable") return outcome.session;
    const { data } = outcome.error as RpcError;
    if ((data as { problem?: string } | undefined)?.problem !== "locked") throw outcome.error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function draw(): void {
  const { timeline, pendingPermissions } = session.state;
  const lines = [...timeline].flatMap((entry) => (entry.type === "message" ? [[entry.role, messageText(entry)]] : []));
  const answers = [...pendingPermissions].flatMap(({ requestId, options }) =>
    options.map((option) => ({ ...option, requestId })),
  );
  find("lines").replaceChildren(
    ...lines.map(([role = "", text = ""]) => {
      const line = document.createElement("p");
      line.className = role;
      line.textContent = text;
      return line;
    }),
    ...answers.map(({ name, optionId, requestId }) => {
      const button = document.createElement("button");
      button.textContent = name;
      button.onclick = () => session.answer(requestId, { outcome: "selected", optionId });
      return button;
    }),
  );
}

session.subscribe(draw);
draw();
find("cancel").onclick = () => void session.cancel();
find("form").onsubmit = (event) => {
  event.preventDefault();
  session.prompt(find<HTMLInputElement>("prompt").value).ended.then(
    ({ stopReason }) => show("end", `${stopReason}`),
    (error: Error) => show("end", error.message),
  );
};
find<HTMLInputElement>("prompt").disabled = false;
Object.assign(globalThis, { client });
