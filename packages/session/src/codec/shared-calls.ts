import { answerElicit, askElicit } from "./elicit.js";
import {
  answerListSessions,
  askListSessions,
  closeSession,
  completeElicitation,
  deleteSession,
} from "./simple-calls.js";

/** Calls as clients make them, with those that are the same in every dialect. */
/* @__NO_SIDE_EFFECTS__ */
export const asksOfClient = <A extends object>(own: A) => ({
  ...own,
  listSessions: askListSessions,
  closeSession,
  deleteSession,
});

/** {@link asksOfClient}, as agents answer them. */
/* @__NO_SIDE_EFFECTS__ */
export const answersOfAgent = <A extends object>(own: A) => ({
  ...own,
  listSessions: answerListSessions,
  closeSession,
  deleteSession,
});

/** Calls as agents make them, with elicitations, which are the same where they exist. */
/* @__NO_SIDE_EFFECTS__ */
export const asksOfAgent = <A extends object>(own: A) => ({ ...own, elicit: askElicit, completeElicitation });

/** {@link asksOfAgent}, as clients answer them. */
/* @__NO_SIDE_EFFECTS__ */
export const answersOfClient = <A extends object>(own: A) => ({ ...own, elicit: answerElicit, completeElicitation });
