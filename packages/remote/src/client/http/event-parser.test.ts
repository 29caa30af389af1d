import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventParser, type StreamEvent } from "./event-parser.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, limit = 1000): StreamEvent[] => new EventParser(limit).push(bytes(text));

/** Reads events line by line, in the words of the standard. */
function byTheBook(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let data: string[] = [];
  let [id, type] = ["", ""];
  const lines = text.split(/\r\n|\n|\r/).slice(0, -1);
  for (const whole of lines) {
    const line = whole.replace(/^\ufeff/, "");
    if (line === "") {
      const text = ["", "message"].includes(type) ? data.join("\n") : "";
      if (text !== "" || id !== "") events.push({ data: text || undefined, id: id || undefined });
      [data, id, type] = [[], "", ""];
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/su.exec(line) ?? [];
    if (name === "data") data.push(value);
    if (name === "event") type = value;
    if (name === "id" && !value.includes("\0")) id = value;
  }
  return events;
}

describe("REM-36: events of a stream", () => {
  it.each([
    ["LF", "data: a\n\n", [{ data: "a" }]],
    ["CRLF", "data: a\r\n\r\n", [{ data: "a" }]],
    ["CR", "data: a\r\rdata: b\r\r", [{ data: "a" }, { data: "b" }]],
    ["a BOM", "\ufeffdata: a\n\n", [{ data: "a" }]],
    ["several lines of data", "data: a\ndata:b\ndata\n\n", [{ data: "a\nb\n" }]],
    ["comments and other fields", ":\n\n: hi\nretry: 9\ndata: a\nnope\n\n", [{ data: "a" }]],
    ["an id", "id: 7\ndata: a\n\ndata: b\n\n", [{ data: "a", id: "7" }, { data: "b" }]],
    ["an id alone", "id: 7\ndata:\n\n", [{ id: "7" }]],
    ["an id with NUL", "id: 7\0\ndata: a\n\n", [{ data: "a" }]],
    ["a message of another type", "event: ping\ndata: a\n\nevent: message\ndata: b\n\n", [{ data: "b" }]],
    ["an event without its end", "data: a\n\ndata: b\n", [{ data: "a" }]],
  ])("reads %s", (_, text, events) => {
    expect(parse(text)).toEqual(events);
  });

  it("any text in any pieces gives the events of the standard", () => {
    const piece = fc.constantFrom(
      "data",
      ":",
      " ",
      "a",
      "ü€😀",
      "\n",
      "\r",
      "\r\n",
      "\n\n",
      "id",
      "event",
      "message",
      "\ufeff",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(6), { minLength: 1 }), (pieces, sizes) => {
        const text = pieces.join("");
        const all = bytes(text);
        const parser = new EventParser(1000);
        const events: StreamEvent[] = [];
        for (let at = 0, turn = 0; at < all.length; turn += 1) {
          const end = at + (sizes[turn % sizes.length] as number);
          events.push(...parser.push(all.subarray(at, end)));
          at = sizes.some((size) => size > 0) ? end : all.length;
        }
        const whole = sizes.some((size) => size > 0);
        // A CR at the end of the text may be half of a CRLF, but ends its line at once.
        if (whole) expect(events).toEqual(byTheBook(text.replace(/^\ufeff/, "")));
      }),
      { numRuns: 2_000 },
    );
  });

  it("a line or the data of an event above the limit is an error", () => {
    expect(parse(`data: ${"x".repeat(1000)}\n\n`)[0]?.data).toHaveLength(1000);
    expect(() => parse(`data: ${"x".repeat(1001)}\n`)).toThrow("more than 1000 bytes");
    expect(() => parse("data: 0123456789\n".repeat(200))).toThrow("more than 1000 bytes");
    const parser = new EventParser(1000);
    expect(() => {
      for (let count = 0; count < 2000; count += 1) parser.push(bytes("x"));
    }).toThrow("more than 1000 bytes");
  });

  it("the bytes of an event have a bound, with the names of its fields, and each event has its own", () => {
    const message = "more than 1000 bytes";
    expect(() => new EventParser(1000).push(bytes("id: 1\n".repeat(20_000)))).toThrow(message);
    const wide = new EventParser(70_000);
    expect(() => {
      for (let count = 0; count < 100; count += 1) wide.push(bytes(`data: ${"€".repeat(600)}\n`));
    }).toThrow("more than 70000 bytes");
    const many = new EventParser(1000);
    for (let count = 0; count < 1000; count += 1) many.push(bytes(`id: ${"€".repeat(100)}\n\n: c`));
    for (let count = 0; count < 100_000; count += 1) many.push(bytes(": alive\n"));
    expect(many.pending).toBe(0);
    many.push(bytes("data: €"));
    expect(many.pending).toBe(9);
  });

  it("many lines of data take memory in proportion to their bytes", () => {
    const parser = new EventParser(32 * 1024 * 1024);
    const chunk = bytes("data:1\n".repeat(9_000));
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < 500; count += 1) parser.push(chunk);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60 * 1024 * 1024);
    expect(parser.push(bytes("\n"))[0]?.data?.length).toBe(9_000_000 - 1);
  });

  it("the time is linear in the bytes, whatever their pieces", () => {
    const time = (count: number): number => {
      const parser = new EventParser(Number.MAX_SAFE_INTEGER);
      const [one, line] = [bytes("x"), bytes("data:x\n".repeat(100))];
      const start = process.cpuUsage().user;
      for (let at = 0; at < count; at += 1) parser.push(one);
      for (let at = 0; at < count / 100; at += 1) parser.push(line);
      parser.push(bytes("\n"));
      return process.cpuUsage().user - start;
    };
    time(20_000);
    expect(time(160_000)).toBeLessThan(Math.max(40 * time(20_000), 200_000));
  });
});
