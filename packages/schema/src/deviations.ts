/**
 * Deviation from the catalogue of requirements. turnkit does not drop or change the value, as the catalogue requires.
 */
export type Deviation = {
  /** Id of the row. */
  readonly id: string;
  /** Id of the requirement. */
  readonly requirement: string;
  /** Behaviour of turnkit. */
  readonly what: string;
  /** Reason for the behaviour. */
  readonly reason: string;
  /** Test of the behaviour, as the file in this package, a colon, and the title. */
  readonly test: string;
};

/**
 * All deviations. They concern received messages only, because sent messages have closed types. The validator notes
 * every such value in `unrecognized` or `salvaged`, so a check of outgoing messages can refuse it.
 */
export const deviations: readonly Deviation[] = [
  {
    id: "v1-unknown-update",
    requirement: "V1-LEN-10",
    what: "A session/update of an unknown variant is valid and handed on as it came.",
    reason:
      "A proxy or a store must not lose what newer peers say, and a user interface can at least show that it came.",
    test: "src/v1/update.test.ts: keeps an update of an unknown variant as it came",
  },
  {
    id: "v1-unknown-content-block",
    requirement: "V1-CONT-09",
    what: "A content block of an unknown type is kept as it came wherever the agent speaks.",
    reason: "Otherwise one new block type would cost the whole message chunk or tool call that holds it.",
    test: "src/v1/content.test.ts: keeps a block of an unknown type where the agent speaks",
  },
  {
    id: "v1-unknown-tool-call-content",
    requirement: "V1-LEN-10",
    what: "Tool call content of an unknown type stays in its list as it came.",
    reason:
      "The list replaces the one before, so dropping an element would show less than the agent said without a trace.",
    test: "src/v1/tool-call.test.ts: keeps content of an unknown type",
  },
  {
    id: "v1-unknown-tool-kind",
    requirement: "V1-LEN-06",
    what: "An unknown tool kind is handed on as a string; who reads it treats it as `other`.",
    reason: "The fallback is a matter of display, and forwarding must not change what the agent said.",
    test: "src/v1/tool-call.test.ts: keeps an unknown kind and an unknown status as strings",
  },
  {
    id: "v1-unknown-tool-status",
    requirement: "V1-LEN-06",
    what: "An unknown tool status is handed on as a string; who reads it treats it as `pending` or as unchanged.",
    reason: "The fallback depends on what was known before, which a validator cannot know.",
    test: "src/v1/tool-call.test.ts: keeps an unknown kind and an unknown status as strings",
  },
  {
    id: "v2-untyped-command",
    requirement: "V2-DEC-04",
    what: "A command without a `type` is not dropped from its list: it reads as `command`, and its input as `text`.",
    reason: "Agents of older drafts send no type (V2-CMD-04), and would seem to have no commands at all.",
    test: "src/v2/command.test.ts: takes a command without a type for a `command`, and its input for `text`",
  },
  {
    id: "v2-malformed-capabilities",
    requirement: "V2-DEC-01",
    what: "Malformed `capabilities` of a tool call or terminal read as null and not as absent.",
    reason: "Absent would keep controls that the agent may have wanted to take away (V2-DEC-11).",
    test: "src/v2/tool-call.test.ts: reads malformed capabilities as null, which takes the controls away",
  },
  {
    id: "v2-unknown-variant-meta",
    requirement: "V2-DEC-01",
    what: "Malformed `_meta` of an unknown variant stays as it came.",
    reason: "The whole of such an object is kept for forwarding (V2-DEC-07), so nothing in it is corrected.",
    test: "src/v2/update.test.ts: keeps an unknown variant whole, malformed `_meta` included",
  },
];
