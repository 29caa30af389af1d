import { connect } from "@turnkit/client";
import { createWebSocketChannel } from "@turnkit/transport/channels";
import { linesOf } from "./draw.js";

const lines = document.querySelector("#lines") as HTMLElement;
const form = document.querySelector("#form") as HTMLFormElement;
const input = document.querySelector("#prompt") as HTMLInputElement;
const status = document.querySelector("#status") as HTMLElement;
const tell = (text: string): void => {
  status.textContent = text;
};

const socket = new WebSocket(`ws://${location.host}/acp`);
const info = { name: "web-page", version: "1.0.0" };
const session = await open().catch((error: Error) => {
  tell(`The conversation could not begin: ${error.message}`);
  throw error;
});

async function open() {
  const client = await connect(createWebSocketChannel(socket), { info });
  void client.closed.then(() => tell("The connection is lost. Reload the page to begin a new conversation."));
  return client.newSession({ cwd: "/" });
}

function draw(): void {
  lines.replaceChildren(
    ...linesOf(session.state).map(({ kind, text, answers = [] }) => {
      const line = document.createElement("p");
      line.className = kind;
      line.textContent = text; // never as HTML: the text is the agent's
      for (const { requestId, optionId, name } of answers) {
        const button = document.createElement("button");
        button.textContent = name;
        button.onclick = () => session.answer(requestId, { outcome: "selected", optionId });
        line.append(" ", button);
      }
      return line;
    }),
  );
}

// At most one drawing for each frame of the screen, however many updates came.
let isDue = false;
session.subscribe(() => {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    draw();
  });
});

form.onsubmit = (event) => {
  event.preventDefault();
  if (input.value.trim() !== "") send(input.value);
  input.value = "";
};

function send(text: string): void {
  tell("");
  // A lost connection rejects, and is told above.
  session.prompt(text).ended.then(
    ({ error }) => error && tell(`The agent failed: ${error.message}`),
    () => undefined,
  );
}
