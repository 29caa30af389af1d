import { connect } from "@turnkit/client";
import { createWebSocketChannel } from "@turnkit/transport/channels";
import { linesOf } from "./draw.js";

const lines = document.querySelector("#lines") as HTMLElement;
const form = document.querySelector("#form") as HTMLFormElement;
const input = document.querySelector("#prompt") as HTMLInputElement;

const socket = new WebSocket(`ws://${location.host}/acp`);
const client = await connect(createWebSocketChannel(socket), { info: { name: "web-page", version: "1.0.0" } });
const session = await client.newSession({ cwd: "/" });

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
  if (input.value.trim() !== "") session.prompt(input.value);
  input.value = "";
};
