import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMemoryPair, pipeChannels } from "../src/channels/index.js";
import { type Frame, RawPeer } from "./raw-peer.js";

const frames = readFileSync(new URL("../../schema/test/preview-frames.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly section: string; readonly from: string; readonly message: Frame });

test.each([...new Set(frames.map(({ section }) => section))])(
  "P-PROXY-01, P-REPLAY-18, P-IDEM-15: a pipe passes on markers, keys, children and unknown updates as they are, in order: section %s",
  async (section) => {
    const [clientEnd, ofClient] = createMemoryPair();
    const [agentEnd, ofAgent] = createMemoryPair();
    void pipeChannels(ofClient, ofAgent);
    const sides: { readonly [from: string]: readonly [RawPeer, RawPeer] } = (() => {
      const [client, agent] = [new RawPeer(clientEnd), new RawPeer(agentEnd)];
      return { client: [client, agent], agent: [agent, client] };
    })();
    const story = frames.filter((frame) => frame.section === section);
    for (const { from, message } of story) {
      const [sender, receiver] = sides[from] as readonly [RawPeer, RawPeer];
      const before = receiver.received.length;
      // An answer needs its request, also where the story begins with the answer.
      sender.send(message);
      await receiver.next((frame) => receiver.received.indexOf(frame) >= before);
      expect(receiver.received.slice(before)).toEqual([message]);
    }
  },
);
