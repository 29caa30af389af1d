import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { plainText } from "../render/line.js";
import { TerminalScreen } from "./terminal-screen.js";

const ASK = "\u001b[6n";
const ROWS = 10;

/** Screen with a frame of ten lines. Its terminal has ten rows, and reports nothing by itself. */
function shownFrame() {
  const written: string[] = [];
  const terminal = Object.assign(new EventEmitter(), {
    ...{ columns: 40, rows: ROWS + 5, writableNeedDrain: false },
    write: (text: string) => written.push(text) > 0,
    /** The size changes, and the signal for it has not come yet. */
    _refreshSize() {
      terminal.rows = ROWS;
      terminal.emit("resize");
    },
  });
  let settled = 0;
  const screen = new TerminalScreen(terminal, {
    resized: () => {
      settled += 1;
    },
    paint: plainText,
    reflows: true,
  });
  screen.draw([], { lines: Array.from({ length: ROWS }, (_, row) => [`line ${row}`]) });
  return {
    screen,
    written,
    settled: () => settled,
    /** Changes the size, and waits until the screen asks. */
    resize() {
      terminal.rows = ROWS;
      terminal.emit("resize");
      vi.advanceTimersByTime(50);
    },
  };
}

describe("the answer to the question for the row of the cursor after a new size", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("defect P31: the rows above the first visible row count as printed", () => {
    const { screen, written, settled, resize } = shownFrame();
    resize();
    expect(written.at(-1)).toBe(ASK);
    expect(screen.isSettling).toBe(true);
    screen.cursorIsAt(8);
    expect([screen.isSettling, settled()]).toEqual([false, 1]);
    expect(screen.takeScrolled()).toEqual([["line 0"], ["line 1"]]);
  });

  it("defect P90: a new size is noticed before a frame, and before the signal for it", () => {
    const { screen } = shownFrame();
    screen.readSize();
    expect(screen.isSettling).toBe(true);
  });

  it("P31: without an answer, the screen is drawn again after a moment, and a late answer changes nothing", () => {
    const { screen, settled, resize } = shownFrame();
    resize();
    vi.advanceTimersByTime(250);
    expect([screen.isSettling, settled()]).toEqual([false, 1]);
    screen.cursorIsAt(3);
    expect(settled()).toBe(1);
    expect(screen.takeScrolled()).toEqual([]);
  });

  it("P31: an answer for an earlier size does not count for a later size", () => {
    const { screen, settled, resize } = shownFrame();
    resize();
    resize();
    screen.cursorIsAt(2);
    expect(settled()).toBe(0);
    screen.cursorIsAt(9);
    expect(settled()).toBe(1);
    expect(screen.takeScrolled()).toEqual([["line 0"]]);
  });

  it("defect P52: after a question without an answer, the answer to the next question counts", () => {
    const { screen, resize } = shownFrame();
    resize();
    vi.advanceTimersByTime(250);
    resize();
    screen.cursorIsAt(7);
    vi.advanceTimersByTime(250);
    expect(screen.takeScrolled()).toEqual([["line 0"], ["line 1"], ["line 2"]]);
    resize();
    screen.cursorIsAt(6);
    expect(screen.isSettling).toBe(false);
    expect(screen.takeScrolled()).toEqual([["line 3"]]);
  });
});
