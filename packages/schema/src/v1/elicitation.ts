import { elicitationId, elicitationSessionScope } from "../both/elicitation.js";
import {
  boolean,
  extend,
  firstOf,
  type Infer,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  record,
  type Schema,
  string,
  variants,
} from "../vocabulary.js";
import { requestId } from "./cancel.js";
import { elicitationSchema } from "./elicitation-schema.js";

const elicitationRequestScope_ = object({
  /** Request of the client to which the elicitation belongs. An example is a login before there is any session. */
  requestId,
});
/** Scope of an elicitation that belongs to a request. */
export interface ElicitationRequestScope extends Infer<typeof elicitationRequestScope_> {}
/** Validates an {@link ElicitationRequestScope}. */
export const elicitationRequestScope: Schema<ElicitationRequestScope> = elicitationRequestScope_;

const formFields = {
  /** Form to show. */
  requestedSchema: elicitationSchema,
};
const urlFields = {
  /** Id of the elicitation, for `elicitation/complete`. */
  elicitationId,
  /** URL to open after the user has agreed. */
  url: string(),
};

const elicitationFormMode_ = firstOf(
  extend(elicitationSessionScope, formFields),
  extend(elicitationRequestScope_, formFields),
);
/** Members of an elicitation with a form, except its text. */
export type ElicitationFormMode = Infer<typeof elicitationFormMode_> | never;
/** Validates an {@link ElicitationFormMode}. */
export const elicitationFormMode: Schema<ElicitationFormMode> = elicitationFormMode_;

const elicitationUrlMode_ = firstOf(
  extend(elicitationSessionScope, urlFields),
  extend(elicitationRequestScope_, urlFields),
);
/** Members of an elicitation with a URL, except its text. */
export type ElicitationUrlMode = Infer<typeof elicitationUrlMode_> | never;
/** Validates an {@link ElicitationUrlMode}. */
export const elicitationUrlMode: Schema<ElicitationUrlMode> = elicitationUrlMode_;

const message = {
  /** Text for the user. */
  message: string(),
};
const inSession_ = extend(elicitationSessionScope, message);
const inRequest_ = extend(elicitationRequestScope_, message);
const createElicitationRequest_ = variants(
  "mode",
  {
    form: firstOf(extend(inSession_, formFields), extend(inRequest_, formFields)),
    url: firstOf(extend(inSession_, urlFields), extend(inRequest_, urlFields)),
  },
  { unknown: firstOf(inSession_, inRequest_) },
);
// V1-ELIC-02, V1-ELIC-04
/**
 * Params of `elicitation/create`, with which the agent asks the user. If the params contain a session and a request,
 * the session counts. Modes that this version does not define can be received, but not written.
 */
export type CreateElicitationRequest = Infer<typeof createElicitationRequest_> | never;
/** Validates a {@link CreateElicitationRequest}. */
export const createElicitationRequest: Schema<CreateElicitationRequest> = createElicitationRequest_;

/** Value of one field of a form. */
export type ElicitationContentValue = string | number | boolean | readonly string[];
/** Validates an {@link ElicitationContentValue}. */
export const elicitationContentValue: Schema<ElicitationContentValue> = firstOf(
  string(),
  integer(),
  number(),
  boolean(),
  list(string()),
);

const elicitationAcceptAction_ = object({
  /** Values by field. For a URL they are usually absent, because the answer only allows the client to open it. */
  content: optional(nullable(record(elicitationContentValue))),
});
/** Answer in which the user accepts. */
export interface ElicitationAcceptAction extends Infer<typeof elicitationAcceptAction_> {}
/** Validates an {@link ElicitationAcceptAction}. */
export const elicitationAcceptAction: Schema<ElicitationAcceptAction> = elicitationAcceptAction_;

const nothing_ = object({});
const createElicitationResponse_ = variants(
  "action",
  { accept: elicitationAcceptAction, decline: nothing_, cancel: nothing_ },
  { unknown: "keep" },
);
// V1-ELIC-12, V1-ELIC-14
/** Result of `elicitation/create`. An unknown action can be received, but it has no meaning. */
export type CreateElicitationResponse = Infer<typeof createElicitationResponse_> | never;
/** Validates a {@link CreateElicitationResponse}. */
export const createElicitationResponse: Schema<CreateElicitationResponse> = createElicitationResponse_;
